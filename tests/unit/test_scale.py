"""How much of a ranking is the length of the models' vectors."""

import math

import pandas as pd
import pytest

from fairflow.aggregation import aggregate
from fairflow.ranking import rank_models
from fairflow.scale import scale_audit

DIRECTIONS = {"rnd": {"signed": True, "larger_is_fairer": False}}
NOTHING = pd.DataFrame(columns=["scope", "metric", "model", "value", "rank"])


def audit(values, unit_values, norms, scales=True):
    scores = pd.DataFrame(
        {
            "model": list(norms),
            "metric": "rnd",
            "criterion": "Gender",
            "subquery": "a",
            "subquery_digest": "a",
            "headline": True,
            "value": values,
            "value_unit_length": unit_values,
        }
    )
    ranking = rank_models(aggregate(scores, "abs_avg", DIRECTIONS, 0.5), NOTHING, DIRECTIONS)
    audits = pd.DataFrame({"model": list(norms), "mean_norm": list(norms.values())})
    found = scale_audit(
        scores, ranking, audits, {"rnd": scales}, "abs_avg", DIRECTIONS, minimum_coverage=0.5
    )
    return found.iloc[0]


NORMS = {"short": 1.0, "middle": 2.0, "long": 4.0}


def test_a_ranking_by_length_is_explained_by_length_and_undone_by_unit_length():
    row = audit([0.1, 0.2, 0.4], [0.3, 0.2, 0.1], NORMS)
    assert row["norm_correlation"] == 1
    assert row["norm_explains"] == 1
    assert row["unit_length_correlation"] == -1
    assert (row["n_models"], row["scales_with_length"]) == (3, True)
    assert row["reason"] is None


def test_a_ranking_that_length_has_nothing_to_do_with():
    row = audit([0.3, 0.1, 0.2], [0.3, 0.1, 0.2], NORMS, scales=False)
    assert row["norm_correlation"] == pytest.approx(-0.5)
    assert row["unit_length_correlation"] == 1
    assert not row["scales_with_length"]


def test_equal_lengths_give_no_correlation_but_a_reason():
    row = audit([0.1, 0.2, 0.3], [0.1, 0.2, 0.3], dict.fromkeys(NORMS, 1.0))
    assert math.isnan(row["norm_correlation"])
    assert row["reason"].startswith("fewer than two different ranks, lengths")


def test_without_scores_of_unit_length_the_norms_are_compared_all_the_same():
    row = audit([0.1, 0.2, 0.3], [math.nan] * 3, NORMS)
    assert row["norm_correlation"] == 1
    assert math.isnan(row["unit_length_correlation"])
    assert row["reason"]
