"""What validity adds to claims: what is behind an association, and whether a model is poorer."""

import pytest
from tests.unit.studies.claims.study import claims, pair, ranks, score

PATTERN = {"model": "a", "query": "q1", "d_x": 1.0, "d_y": -1.0, "p_x": 0.01, "p_y": 0.01}


@pytest.mark.parametrize(
    ("columns", "short"),
    [({}, "yes"), ({"p_y": 0.4}, "yes, by Men alone"), ({"p_x": 0.4}, "yes, by Women alone")],
)
def test_an_association_of_one_target_set_alone_says_so(columns, short):
    (one,) = claims("association", eat_patterns=[PATTERN | columns])
    assert one.short == short


def check(model, grade, criterion="Gender"):
    return {
        "question": "ratings", "model": model, "criterion": criterion, "concept": criterion,
        "query": "", "value": 0.1, "low": 0.0, "high": 0.2, "n": 90, "grade": grade,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "criterion", "verdict"),
    [
        ([check("a", "poor")], "Gender", "poorer"),
        ([check("a", "middling")], "Gender", "more biased"),
        # Another topic's ratings, and those of the more biased model, decide nothing.
        ([check("a", "poor", "Race")], "Gender", "more biased"),
        ([check("b", "poor")], "Gender", "more biased"),
        ([check("a", "unknown")], "Gender", "more biased"),
        # Over all queries every known concept has to be poor.
        ([check("a", "poor"), check("a", "good", "Race")], "Overall", "more biased"),
        ([check("a", "poor"), check("a", "poor", "Race")], "Overall", "poorer"),
    ],
)
def test_ratings_of_the_criterions_own_concept_must_not_be_poor(rows, criterion, verdict):
    of_models = {"ranking": ranks("a", "b", criterion=criterion), "checks": rows}
    of_models |= {"pairwise": pair("b", "a", criterion=criterion)}
    (one,) = claims("comparison", [score("a"), score("b")], **of_models)
    assert one.verdict == verdict
