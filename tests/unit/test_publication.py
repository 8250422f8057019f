"""Published numbers beside computed ones, with a verdict and a reason."""

import math

import pandas as pd
import pytest

from fairflow.errors import FairflowError
from fairflow.publication import (
    FILE_COLUMNS,
    compare_correlations,
    compare_published,
    read_published,
    verdict,
)

NAN = math.nan


def printed(value=0.46, decimals=2, model="Word2vec", scope="q1", tolerance=NAN, note=NAN):
    cell = "Table 1", model, "weat", scope, value, decimals, NAN, tolerance, note
    return pd.DataFrame([dict(zip(FILE_COLUMNS, cell, strict=True))])


def score(value=0.4634, query="q1", lost=(), reason=None, headline=True):
    return {
        "model": "w2v",
        "metric": "weat",
        "query": query,
        "headline": headline,
        "value": value,
        "lost_words": list(lost),
        "reason": reason,
    }


def compare(published, scores=None, aggregates=()):
    columns = ["model", "metric", "criterion", "value", "undefined"]
    (row,) = compare_published(
        published,
        pd.DataFrame(scores or [score()]),
        pd.DataFrame(aggregates, columns=columns),
        {"Word2vec": "w2v", "Other": "other"},
    ).to_dict(orient="records")
    return row


@pytest.mark.parametrize(
    ("computed", "published", "decimals", "tolerance", "expected"),
    [
        (0.4634, 0.46, 2, NAN, "match"),
        (0.4634, 0.47, 2, NAN, "differs"),
        (-0.4634, 0.46, 2, NAN, "differs"),
        # A half may be rounded up or down, whatever its binary fraction.
        (0.125, 0.12, 2, NAN, "match"),
        (0.125, 0.13, 2, NAN, "match"),
        (1.005, 1.00, 2, NAN, "match"),
        (1.005, 1.01, 2, NAN, "match"),
        (0.12501, 0.12, 2, NAN, "differs"),
        (1.54, 1.5, 1, NAN, "match"),
        (1.56, 1.5, 1, NAN, "differs"),
        (7.4, 7.0, 0, NAN, "match"),
        (0.033, 0.03, 3, NAN, "differs"),
        (0.033, 0.03, 3, 0.004, "within tolerance"),
        (0.027, 0.03, 3, 0.004, "within tolerance"),
        (0.035, 0.03, 3, 0.004, "differs"),
        (0.0303, 0.03, 3, 0.004, "match"),
        (NAN, 0.03, 3, 0.004, "not computed"),
    ],
)
def test_the_verdict_holds_at_the_printed_decimals(
    computed, published, decimals, tolerance, expected
):
    assert verdict(computed - published, decimals, tolerance) == expected


def test_a_cell_stands_beside_our_number_for_the_query():
    row = compare(printed())
    assert (row["published"], row["computed"], row["verdict"]) == (0.46, 0.4634, "match")
    assert row["difference"] == pytest.approx(0.0034)
    assert (row["table"], row["model"], row["published_model"]) == ("Table 1", "w2v", "Word2vec")
    assert row["reason"] == ""


def test_a_criterion_is_compared_with_our_aggregate_and_names_what_was_undefined():
    row = compare(
        printed(0.5, scope="Gender"), aggregates=[("w2v", "weat", "Gender", 0.501, "A wrt B")]
    )
    assert (row["computed"], row["verdict"]) == (0.501, "match")
    assert row["reason"] == "undefined here: A wrt B"


def test_the_reason_carries_the_note_and_the_lost_words():
    row = compare(printed(0.9, note="misprint"), [score(lost=["axe", "jay"])])
    assert (row["verdict"], row["reason"]) == ("differs", "misprint; lost: axe, jay")


def test_the_reason_of_an_undefined_score_is_given():
    row = compare(printed(), [score(NAN, lost=["axe"], reason="Weapons lost 1 of 2 words (axe)")])
    assert (row["verdict"], row["reason"]) == ("not computed", "Weapons lost 1 of 2 words (axe)")


def test_the_tolerance_of_a_cell_counts():
    assert compare(printed(0.45, tolerance=0.02))["verdict"] == "within tolerance"


@pytest.mark.parametrize(
    ("published", "reason"),
    [
        (printed(model="ConceptNet"), "ConceptNet is not computed in this study"),
        (printed(model="Other"), "weat of q1 is not computed in this study"),
        (printed(scope="gender_6"), "weat of gender_6 is not computed in this study"),
    ],
)
def test_a_cell_that_we_have_not_is_not_computed_and_says_what_is_missing(published, reason):
    row = compare(published)
    assert math.isnan(row["computed"])
    assert (row["verdict"], row["reason"]) == ("not computed", reason)


def test_only_the_headline_measure_is_compared():
    row = compare(printed(), [score(1.9, headline=False), score()])
    assert row["computed"] == 0.4634


def test_a_query_of_several_subqueries_has_no_single_number():
    assert compare(printed(), [score(), score(0.1)])["verdict"] == "not computed"


def test_a_printed_correlation_is_compared_with_that_of_the_published_ranking():
    keys = ["criterion", "metric_row", "metric_column"]
    published = pd.DataFrame(
        [("T", "Gender", "weat", row, value, 2) for row, value in (("mac", -0.79), ("rnd", 0.5))],
        columns=["table", *keys, "value", "decimals"],
    )
    correlations = pd.DataFrame(
        [
            ("computed", "Gender", "weat", "mac", -0.79),
            ("published", "Gender", "weat", "mac", -0.8857),
            ("published", "Religion", "weat", "mac", -0.79),
        ],
        columns=["source", *keys, "correlation"],
    )
    mac, rnd = compare_correlations(published, correlations).to_dict(orient="records")
    assert (mac["metric"], mac["scope"], mac["verdict"]) == ("weat ~ mac", "Gender", "differs")
    assert mac["difference"] == pytest.approx(-0.0957)
    assert math.isnan(rnd["computed"])
    assert rnd["verdict"] == "not computed"


def test_no_file_is_an_empty_table():
    frame = read_published(None)
    assert (list(frame), len(frame)) == (FILE_COLUMNS, 0)


def test_a_file_without_a_column_is_refused_by_the_columns_name(tmp_path):
    path = tmp_path / "published.csv"
    printed().drop(columns=["note", "rank"]).to_csv(path, index=False)
    with pytest.raises(FairflowError, match=r"published\.csv: columns rank, note are missing"):
        read_published(path)


def test_a_file_is_read_as_it_is_written(tmp_path):
    path = tmp_path / "published.csv"
    printed(note="misprint").to_csv(path, index=False)
    pd.testing.assert_frame_equal(read_published(path), printed(note="misprint"))
