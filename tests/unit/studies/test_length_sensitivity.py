"""How much of a ranking is the length of the models' vectors."""

import math

import pandas as pd
import pytest

from fairflow.studies.ranking import scale_audit

DIRECTIONS = {"rnd": {"signed": True, "larger_is_fairer": False}}


def audit(values, unit_values, norms, scales=True):
    scores = pd.DataFrame(
        {
            "model": list(norms),
            "metric": "rnd",
            "criterion": "Gender",
            "subquery": "a",
            "subquery_digest": "a",
            "is_primary": True,
            "value": values,
            "value_normalized": unit_values,
        }
    )
    norms = pd.DataFrame({"model": list(norms), "mean_norm": list(norms.values())})
    found = scale_audit(scores, norms, {"rnd": scales}, "abs_avg", DIRECTIONS, minimum_coverage=0.5)
    return found.iloc[0]


NORMS = {"twin": 1.0, "short": 1.5, "middle": 2.0, "long": 4.0, "longest": 9.0}
NOTHING = [math.nan] * 5


def test_an_order_by_length_is_explained_by_length_and_undone_by_unit_length():
    row = audit([0.1, 0.2, 0.4, 0.5, 0.6], [0.5, 0.4, 0.3, 0.2, 0.1], NORMS)
    assert row["norm_correlation"] == 1
    assert row["norm_r2"] == 1
    assert row["normalized_correlation"] == -1
    assert (row["n_models"], row["scales_with_length"]) == (5, True)
    assert row["reason"] is None


def test_an_order_that_length_has_little_to_do_with():
    values = [0.3, 0.1, 0.2, 0.5, 0.4]  # d^2 of the ranks: 4 + 1 + 1 + 1 + 1
    row = audit(values, values, NORMS, scales=False)
    assert row["norm_correlation"] == pytest.approx(1 - 6 * 8 / (5 * 24))
    assert row["normalized_correlation"] == 1
    assert not row["scales_with_length"]


def test_four_models_in_the_order_of_their_lengths_show_nothing():
    four = dict(list(NORMS.items())[:4])
    row = audit([0.1, 0.2, 0.4, 0.5], [0.1, 0.2, 0.4, 0.5], four)
    assert math.isnan(row["norm_correlation"])
    assert math.isnan(row["norm_r2"])
    assert math.isnan(row["normalized_correlation"])
    assert row["n_models"] == 4
    assert row["reason"] == "fewer than 5 models: so few agree by chance too often"


def test_equal_lengths_give_no_correlation_but_a_reason():
    values = [0.1, 0.2, 0.3, 0.4, 0.5]
    row = audit(values, values, dict.fromkeys(NORMS, 1.0))
    assert math.isnan(row["norm_correlation"])
    assert row["reason"] == "the models have equal scores or lengths"


def test_without_scores_of_unit_length_the_lengths_are_compared_all_the_same():
    row = audit([0.1, 0.2, 0.3, 0.4, 0.5], NOTHING, NORMS)
    assert row["norm_correlation"] == 1
    assert math.isnan(row["normalized_correlation"])
    assert row["reason"] == "no scores of unit-length vectors are known"
