"""What is said of words in contexts, and the row of the table that it is said from."""

import numpy as np
import pytest
from pools import planted
from tests.unit.studies.claims.study import NAN, claims, said

from fairflow.nulls.ceat import authors_p, crossed_effect, effects_of_draws
from fairflow.nulls.ceat_tables import row_of

KIND = "in contexts"
ROW = {
    "model": "a", "query": "q1", "contexts": 12, "effect": 0.9, "low": 0.3, "high": 1.4,
    "p_value": 0.004, "authors_p": 1e-7, "reason": "",
}  # fmt: skip


def cell(associated, sizes=(8, 8)):
    """What `query_in_contexts` gives of such associations, the authors' draws the same ones."""
    effects, variances = effects_of_draws(associated, sizes[0])
    arrays = {"associated": associated, "effects": effects, "variances": variances}
    told = {"words": [*sizes, 5, 6], "left_out": ["hers"], "contexts": len(associated)}
    return told | {"reason": ""}, arrays


def row(*arguments, **options):
    return ROW | row_of(*cell(*arguments, **options))


PAIRS = "12 contexts a word: Men with Career, Women with Family"


@pytest.mark.parametrize(
    ("columns", "verdict", "rest"),
    [
        ({}, "significant", f", {PAIRS}, d +0.9 [0.3, 1.4]."),
        ({"authors_p": 0.3}, "significant", f", {PAIRS}, d +0.9 [0.3, 1.4] (the authors' p: .30)."),
        (
            {"p_value": 0.4, "authors_p": 0.0}, "open",
            f", {PAIRS} may be chance, d +0.9 [0.3, 1.4] (the authors' p: <1e-99).",
        ),
        (
            {"effect": -0.4, "low": -1.2, "high": 0.5, "p_value": 0.4}, "open",
            ", 12 contexts a word: Women with Career, Men with Family may be chance, "
            "d +0.4 [-0.5, 1.2] (the authors' p: 1e-7).",
        ),
        (
            {"effect": NAN, "p_value": NAN, "reason": "too few"}, "untested",
            ": Men with Career, Women with Family was not tested in contexts, too few.",
        ),
    ],
)  # fmt: skip
def test_a_claim_names_d_with_its_interval_and_the_authors_p_where_that_says_otherwise(
    columns, verdict, rest
):
    (one,) = claims(KIND, ceat=[ROW | columns])
    assert (one.verdict, one.sentence) == (verdict, f"Model A{rest}")
    assert len(one.sentence.split()) <= 30


def test_p_is_corrected_over_queries_and_models():
    others = [ROW | {"model": "b", "p_value": 0.9}] * 19
    found = claims(KIND, ceat=[ROW | {"p_value": 0.03}, *others])
    assert {one.verdict for one in found} == {"open"}


def test_the_page_has_a_table_and_how_many_hold():
    page = said(ceat=[ROW, ROW | {"p_value": 0.4}]).page
    assert page.answer == (
        "1 of 2 associations in contexts are significant, words and contexts random; by the "
        "authors' formula 2."
    )
    assert page.rows[0].cells[1:] == ("Model A", "12", "+0.9 [0.3, 1.4]", ".008", "1e-7", "yes")


def test_a_row_has_both_methods_and_the_authors_p_for_the_sign_of_their_effect():
    associated = planted(2, (8, 8), 10, effect=-1.0)
    found, (told, arrays) = row(associated), cell(associated)
    ours, theirs = crossed_effect(associated, 8), (-arrays["effects"], arrays["variances"])
    assert [found[name] for name in ("effect", "low", "high", "p_value")] == [*ours[:4]]
    assert found["authors_effect"] == pytest.approx(-authors_p(*theirs)[0])
    assert found["authors_p"] == authors_p(*theirs)[1] < 0.5
    assert (found["n_first"], found["n_2"], found["left_out"]) == (8, 6, "hers")
    assert np.isnan(row_of(told | {"reason": "none"}, {})["effect"])
