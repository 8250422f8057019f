"""Claims on the texts of a corpus: against shuffled texts, corrected over all that was asked."""

import pytest
from tests.unit.studies.claims.study import NAN, claims, said

PLACE = {"division": "decades", "query": "q1", "subquery": "Men and Women", "embedding": "pmi"}
HERE = PLACE | {
    "metric": "weat", "label": "1990s", "value": 0.9, "low": 0.2, "high": 1.5, "null_mean": 0.4,
    "excess": 0.5, "excess_low": 0.1, "excess_high": 0.9, "excess_p": 0.01, "n_clusters": 20,
    "reason": None, "smallest_effect": NAN,
}  # fmt: skip
CHANGE = PLACE | {
    "metric": "weat", "kind": "slope", "contrast": "slope per decade", "value": -0.1,
    "low": -0.2, "high": -0.05, "p_value": 0.01, "reason": None,
}  # fmt: skip


def test_an_association_in_texts_is_what_exceeds_that_of_shuffled_texts():
    (one,) = claims("association in texts", corpus_scores=[HERE])
    assert (one.verdict, one.value, one.low, one.high, one.n) == ("beyond", 0.5, 0.1, 0.9, 20)
    assert one.sentence == (
        "1990s: Men with Career, Women with Family (WEAT, pmi) is beyond that of shuffled texts "
        "(+0.5 [0.1, 0.9])."
    )


@pytest.mark.parametrize(
    ("columns", "verdict"),
    [
        # The value itself excludes 0: shuffled texts have as much.
        ({"excess": 0.1, "excess_low": -0.2, "excess_high": 0.4, "excess_p": 0.4}, "open"),
        ({"excess_low": NAN, "excess_high": NAN, "excess_p": NAN}, "untestable"),
        ({"value": NAN, "excess": NAN, "excess_p": NAN}, "undefined"),
    ],
)
def test_a_value_that_shuffled_texts_have_too_is_no_association(columns, verdict):
    (one,) = claims("association in texts", corpus_scores=[HERE | columns])
    assert one.verdict == verdict


def test_one_small_p_of_many_is_chance():
    others = [HERE | {"label": f"{n}", "excess_p": 0.9} for n in range(10)]
    found = claims("association in texts", corpus_scores=[HERE | {"excess_p": 0.03}, *others])
    assert {one.verdict for one in found} == {"open"}


@pytest.mark.parametrize(
    ("columns", "verdict"),
    [
        ({}, "falls"),
        ({"value": 0.1}, "rises"),
        ({"kind": "difference", "contrast": "B minus A"}, "differs"),
        ({"p_value": 0.2}, "open"),
        ({"p_value": NAN}, "untestable"),
        ({"value": NAN, "p_value": NAN}, "undefined"),
    ],
)
def test_a_change_is_a_slope_or_a_difference(columns, verdict):
    (one,) = claims("change of texts", corpus_scores=[CHANGE | columns])
    assert one.verdict == verdict


def test_a_missing_value_has_the_reason_of_its_row_however_many_texts_there_are():
    columns = {"value": NAN, "excess": NAN, "excess_p": NAN, "reason": "Career lost 3 of 13 words"}
    found = said(corpus_scores=[HERE | columns])
    assert found.page.rows[0].cells[-1] == "no value: Career lost 3 of 13 words"
    (one,) = (one for one in found.claims if one.kind == "association in texts")
    assert one.sentence.endswith("(WEAT, pmi) has no value: Career lost 3 of 13 words.")
    assert [gate.state for gate in one.gates] == ["failed", "passed"]


def test_the_table_has_changes_with_their_p_then_parts_in_order_of_time_whatever_was_found():
    ps = {"1980s": 0.9, "1990s": 0.001}
    parts = [HERE | {"label": label, "excess_p": p} for label, p in ps.items()]
    change = CHANGE | {"value": 0.16, "low": 0.01, "high": 0.3, "p_value": 0.07}
    (slope, *rows) = said(corpus_scores=[*parts, change]).page.rows
    assert slope.cells[1:] == ("slope per decade", "+0.16 [0.01, 0.30]", ".07", "no")
    assert [(row.cells[1], row.strength) for row in rows] == [("1980s", 0), ("1990s", 1)]


def test_a_long_table_leaves_out_what_is_weakest():
    ps = [0.9, *[0.001] * 12]
    parts = [HERE | {"label": f"part {n:02}", "excess_p": p} for n, p in enumerate(ps)]
    page = said(corpus_scores=parts).page
    assert [row.cells[1] for row in page.rows] == [f"part {n:02}" for n in range(1, 13)]
    assert page.more == 1


def test_the_answer_counts_both():
    page = said(corpus_scores=[HERE, CHANGE, CHANGE | {"p_value": 0.9}]).page
    assert page.answer == (
        "1 of 1 associations exceed those of shuffled texts; 1 of 2 changes exceed chance."
    )


def test_documents_without_a_date_are_told():
    words = [{"division": "decades", "undated": 3, "kind": "word"}]
    (one,) = claims("not measured", corpus_scores=words)
    assert one.sentence == "3 documents have no date and are in no part of the division decades."
