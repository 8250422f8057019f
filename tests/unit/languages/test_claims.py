"""Claims on languages: which share of a score was grammar."""

import pytest
from tests.unit.studies.claims.study import claims, score


def gendered(**columns):
    """A French query with and without the direction of grammatical gender."""
    sums = [score(model, measure="weat_sum", ranked=False, value=1) for model in "ab"]
    rows = [score("a") | columns, score("b", value=0.45), *sums]
    further = {"gendered": {"q1": "fr"}, "again": {"b": "a"}}
    return claims("language", rows, further=further)


@pytest.mark.parametrize(
    ("columns", "verdict", "share"),
    [
        ({"value": 0.6}, "grammar", 0.25),
        ({"value": 0.46}, "no grammar", 0.02),
        ({"value": 0.3}, "hides", -0.5),
        ({"value": 0.5, "ci_low": -0.1}, "unclear", 0.1),
    ],
)
def test_a_score_may_be_grammar_in_part(columns, verdict, share):
    language, one = gendered(**columns)
    assert language.sentence.startswith("Nouns in French (fr) have a grammatical gender: 1 quer")
    assert (one.verdict, one.value) == (verdict, pytest.approx(share, abs=0.01))
