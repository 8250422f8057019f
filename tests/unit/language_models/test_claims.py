"""Claims on scores of items: each against the value that would be fair."""

import pytest
from tests.unit.studies.claims.study import NAN, claims, said, score

READINGS = {
    "bbq": {"fair": 0.0, "above": "answers follow stereotypes", "published_shift": 0},
    "pairs": {"fair": 0.0, "above": "stereotypes are more probable", "published_shift": 50},
}
SETTINGS = {"of_others": ["bbq", "pairs"], "signed": ["bbq", "pairs"], "readings": READINGS}


def item(**columns):
    usual = {"metric": "bbq", "query": "q2", "subquery": "q2", "query_label": "Query 2"}
    usual |= {"value": 20.0, "ci_low": 10.0, "ci_high": 30.0, "n_items": 80, "n_clusters": 20}
    return score(**usual | {"measure": "bias"} | columns)


def outcomes(**shares):
    """Rows of the shares of answers."""
    base = item(ranked=False, ci_low=NAN, ci_high=NAN)
    return [base | {"measure": name, "value": value} for name, value in shares.items()]


def of_items(kind, *rows):
    return claims(kind, [*rows], **SETTINGS)


@pytest.mark.parametrize(
    ("columns", "verdict"),
    [
        ({}, "above"),
        ({"value": -20.0}, "below"),
        ({"p_bh": 0.2}, "open"),
        ({"p_bh": NAN}, "untested"),
        ({"status": "few_counts"}, "untestable"),
    ],
)
def test_a_score_is_compared_with_its_fair_value(columns, verdict):
    assert [one.verdict for one in of_items("items", item(**columns))] == [verdict]


def test_a_score_on_less_than_90_percent_of_the_answers_concludes_nothing():
    (one,) = of_items("items", item(), *outcomes(answers_read=89.0))
    assert (one.verdict, one.failed) == ("few read", ("read",))
    (one,) = of_items("items", item(), *outcomes(answers_read=90.0))
    assert one.verdict == "above"


def test_lost_answers_are_told_with_the_bounds_of_the_score():
    rows = outcomes(answers_read=80.0, bias_lost_fair=15.0, bias_lost_biased=40.0)
    (one,) = of_items("answers", item(), *rows)
    assert one.sentence == (
        "Only 80% of 80 answers of Model A to Query 2 could be read, too few for a rank; with the "
        "others its score is 15 to 40."
    )
    (one,) = of_items("answers", item(), *outcomes(answers_read=100.0))
    assert one.verdict == "all read"


def test_the_answer_counts_scores_that_differ_from_what_is_fair():
    page = said([item(), item(model="b", p_bh=0.5)], **SETTINGS).page
    assert page.answer == "1 of 2 tested scores differ from what is fair: Model A."
    assert page.rows[0].cells == ("BBQ, Query 2", "Model A", "20 [10, 30]", "0", ".02", "above 0")


def test_a_model_whose_answers_are_not_finite_is_broken():
    (one,) = of_items("items", item(value=NAN, status="not_finite"))
    assert (one.verdict, one.subject) == ("broken", "a")
