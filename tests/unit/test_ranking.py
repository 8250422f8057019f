"""Ranking models by metric, and correlating the rankings."""

import math

import pandas as pd
import pytest
from scipy import stats

from fairflow.ranking import correlate_rankings, rank_models

DIRECTIONS = {
    "weat": {"signed": True, "larger_is_fairer": False},
    "rnsb": {"signed": False, "larger_is_fairer": False},
    "mac": {"signed": False, "larger_is_fairer": True},
    "ect": {"signed": False, "larger_is_fairer": True},
}
NO_PUBLISHED = pd.DataFrame(columns=["scope", "metric", "model", "value", "rank"])


def computed(metric="weat", criterion="Gender", **values):
    return pd.DataFrame(
        [
            {
                "criterion": criterion,
                "metric": metric,
                "model": model,
                "value": 99.0,  # rankings use value_common
                "value_common": value,
                "n_queries": 7,
                "n_common": 5,
            }
            for model, value in values.items()
        ]
    )


def printed(metric="weat", scope="Gender", **cells):
    """Published cells of model=(value, printed rank)."""
    return pd.DataFrame(
        [
            {"scope": scope, "metric": metric, "model": model, "value": value, "rank": rank}
            for model, (value, rank) in cells.items()
        ]
    )


def ranks(aggregates, published=NO_PUBLISHED, source="computed"):
    table = rank_models(aggregates, published, DIRECTIONS)
    return table[table["source"] == source].set_index("model")["rank"].to_dict()


def test_the_smallest_absolute_value_of_a_signed_metric_ranks_first():
    assert ranks(computed(a=-0.9, b=0.2, c=0.5)) == {"a": 3, "b": 1, "c": 2}


def test_the_smallest_value_of_rnsb_ranks_first():
    assert ranks(computed("rnsb", a=0.3, b=0.1, c=0.2)) == {"a": 3, "b": 1, "c": 2}


def test_the_largest_mac_ranks_first():
    assert ranks(computed("mac", biased=0.80, fair=0.99)) == {"biased": 2, "fair": 1}


def test_a_negative_ect_ranks_behind_every_positive_one():
    assert ranks(computed("ect", a=-0.9, b=0.1, c=0.8)) == {"a": 3, "b": 2, "c": 1}


def test_models_equal_to_six_decimals_share_the_mean_of_their_ranks():
    found = ranks(computed(a=0.5, b=-0.50000004, c=0.1, d=0.500002))
    assert found == {"c": 1, "a": 2.5, "b": 2.5, "d": 4}


def test_an_undefined_score_has_no_rank_and_takes_no_place():
    found = ranks(computed(a=0.5, b=math.nan, c=0.1))
    assert math.isnan(found.pop("b"))
    assert found == {"a": 2, "c": 1}


def test_a_metric_without_any_score_ranks_nobody():
    table = pd.concat([computed(a=math.nan, b=math.nan), computed("mac", a=0.9, b=0.8)])
    found = rank_models(table, NO_PUBLISHED, DIRECTIONS)
    assert found["rank"].isna().tolist() == [True, True, False, False]


def test_criteria_and_metrics_are_ranked_apart():
    table = pd.concat(
        [computed(a=1, b=2), computed("mac", a=1, b=2), computed(criterion="Religion", a=2, b=1)]
    )
    found = rank_models(table, NO_PUBLISHED, DIRECTIONS).set_index(["criterion", "metric", "model"])
    assert found["rank"].to_dict() == {
        ("Gender", "weat", "a"): 1,
        ("Gender", "weat", "b"): 2,
        ("Gender", "mac", "a"): 2,
        ("Gender", "mac", "b"): 1,
        ("Religion", "weat", "a"): 2,
        ("Religion", "weat", "b"): 1,
    }


def test_published_scores_are_ranked_among_themselves():
    aggregates, published = computed(a=0.4, b=0.6), printed(x=(0.5, 2), y=(-0.1, 1))
    assert ranks(aggregates, published) == {"a": 1, "b": 2}
    assert ranks(aggregates, published, "published") == {"x": 2, "y": 1}


def test_published_scores_equal_as_printed_are_ordered_by_the_printed_rank():
    cells = {"x": (0.31, 3), "y": (0.31, 2), "z": (0.30, 1)}
    assert ranks(computed(a=1), printed(**cells), "published") == {"x": 3, "y": 2, "z": 1}


def test_published_scores_equal_as_printed_without_a_printed_rank_share_theirs():
    cells = {"x": (0.31, math.nan), "y": (0.31, math.nan), "z": (0.30, math.nan)}
    assert ranks(computed(a=1), printed(**cells), "published") == {"x": 2.5, "y": 2.5, "z": 1}


def test_published_numbers_of_single_queries_or_foreign_metrics_are_not_ranked():
    published = pd.concat([printed(scope="gender_1", x=(1, 1)), printed("unknown", x=(1, 1))])
    found = rank_models(computed(a=1), published, DIRECTIONS)
    assert found["source"].tolist() == ["computed"]


def test_a_ranking_shows_its_scores_and_the_queries_behind_them():
    table = rank_models(computed(a=-0.4), printed(x=(0.5, 1)), DIRECTIONS)
    ours, theirs = table.to_dict(orient="records")
    assert (ours["score"], ours["n_queries"], ours["n_common"]) == (-0.4, 7, 5)
    assert theirs["score"] == 0.5
    assert pd.isna(theirs["n_queries"])


def ranking(source="computed", criterion="Gender", **columns):
    """Ranks of the models m0, m1, ... by metric."""
    return pd.DataFrame(
        [
            {
                "source": source,
                "criterion": criterion,
                "metric": metric,
                "model": f"m{i}",
                "rank": r,
            }
            for metric, column in columns.items()
            for i, r in enumerate(column)
        ]
    )


def correlation(table, row, column):
    found = correlate_rankings(table)
    (cell,) = found[(found["metric_row"] == row) & (found["metric_column"] == column)].to_dict(
        orient="records"
    )
    return cell["correlation"], cell["n_models"]


@pytest.mark.parametrize(
    ("left", "right"),
    [([1, 2, 3, 4], [4, 3, 2, 1]), ([1, 2, 3, 4], [2, 1, 4, 3]), ([1, 2.5, 2.5, 4], [3, 1, 4, 2])],
)
def test_correlation_is_spearmans_and_may_be_negative(left, right):
    expected = stats.spearmanr(left, right).statistic
    table = ranking(weat=left, mac=right)
    for pair in (("weat", "mac"), ("mac", "weat")):
        assert correlation(table, *pair) == (pytest.approx(expected), 4)
    assert correlation(table, "weat", "weat") == (pytest.approx(1), 4)


def test_models_that_one_of_two_metrics_does_not_rank_are_left_out_of_the_pair():
    table = ranking(weat=[1, 2, 3, math.nan], mac=[2, math.nan, 1, 3])
    assert correlation(table, "weat", "mac") == (pytest.approx(-1), 2)
    assert correlation(table, "weat", "weat") == (pytest.approx(1), 3)


def test_a_constant_ranking_correlates_with_nothing():
    found, n_models = correlation(ranking(weat=[1.5, 1.5], mac=[1, 2]), "weat", "mac")
    assert math.isnan(found)
    assert n_models == 2


def test_sources_and_criteria_are_correlated_apart():
    table = pd.concat(
        [
            ranking(weat=[1, 2], mac=[1, 2]),
            ranking("published", weat=[1, 2], mac=[2, 1]),
            ranking(criterion="Religion", weat=[1, 2], mac=[2, 1]),
        ]
    )
    found = correlate_rankings(table).set_index(
        ["source", "criterion", "metric_row", "metric_column"]
    )
    assert set(found["n_models"]) == {2}
    assert [
        found.loc[(*key, "weat", "mac"), "correlation"]
        for key in (("computed", "Gender"), ("published", "Gender"), ("computed", "Religion"))
    ] == pytest.approx([1, -1, -1])
