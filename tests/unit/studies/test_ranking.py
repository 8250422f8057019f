"""Ranking models by metric, and correlating the rankings."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from tables_of_scores import DIRECTIONS

from fairflow.scores.word_variant import WordVariant
from fairflow.studies.comparability import NO_BIAS
from fairflow.studies.ranking import (
    EVERY,
    NOT_PUBLISHED,
    correlate_rankings,
    rank_models,
)


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
                "status": "compared",
                **dict.fromkeys(("note", "same_vectors_as", "derived_from"), ""),
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


def ranks(aggregates, published=NOT_PUBLISHED, source="computed"):
    table = rank_models(aggregates, published, DIRECTIONS)
    return table[table["source"] == source].set_index("model")["rank"].to_dict()


NAN = math.nan


@pytest.mark.parametrize(
    ("metric", "values", "expected"),
    [
        # The smallest size of a signed metric is first, and the smallest value of RNSB.
        ("weat", [-0.9, 0.2, 0.5], [3, 1, 2]),
        ("rnsb", [0.3, 0.1, 0.2], [3, 1, 2]),
        ("mac", [0.80, 0.99], [2, 1]),
        # A negative ECT is behind every positive one.
        ("ect", [-0.9, 0.1, 0.8], [3, 2, 1]),
        # Equal to six decimals, on whichever side of a step of rounding.
        ("weat", [0.5, -0.50000004, 0.1, 0.500002], [2.5, 2.5, 1, 4]),
        ("weat", [0.12345649, 0.12345651, 0.2], [1.5, 1.5, 3]),
        ("weat", [0.5, NAN, 0.1], [2, NAN, 1]),
    ],
)
def test_models_are_ranked_by_how_unbiased_a_metric_finds_them(metric, values, expected):
    found = ranks(computed(metric, **dict(zip("abcd", values, strict=False))))
    assert [*found.values()] == pytest.approx(expected, nan_ok=True)


def test_criteria_and_metrics_are_ranked_apart():
    table = pd.concat(
        [computed(a=1, b=2), computed("mac", a=1, b=2), computed(criterion="Religion", a=2, b=1)]
    )
    found = rank_models(table, NOT_PUBLISHED, DIRECTIONS).set_index(
        ["criterion", "metric", "model"]
    )
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


@pytest.mark.parametrize(
    ("status", "why"),
    [
        ("grows_with_length", "grow with the length of vectors"),
        ("scales_with_dimension", "depend on the number of dimensions"),
        (NO_BIAS, "a larger value is neither more bias nor less: models are not ranked by it"),
    ],
)
def test_a_metric_that_compares_no_models_ranks_nobody_but_in_publications(status, why):
    table = pd.concat([computed("rnsb", a=0.3, b=0.1), computed(a=0.3, b=0.1)])
    published = printed("rnsb", x=(0.5, 2), y=(0.1, 1))
    found = rank_models(table, published, DIRECTIONS, {"rnsb": status})
    ours = found[(found["metric"] == "rnsb") & (found["source"] == "computed")]
    assert ours["rank"].isna().all()
    assert ours["score"].tolist() == [0.3, 0.1]
    assert set(ours["status"]) == {status}
    assert ours["note"].str.contains(why).all()
    assert found.loc[found["source"] == "published", "rank"].tolist() == [2, 1]
    assert found.loc[found["metric"] == "weat", "rank"].tolist() == [2, 1]


def test_every_model_is_ranked_by_every_metric_as_wefe_does_if_a_study_asks_for_it():
    others = {"value": [0.8, 0.9, 0.7], "status": "derived", "note": "derived from x"}
    aggregates = computed("mac", a=math.nan, b=math.nan, c=math.nan).assign(n_defined=4, **others)
    both = pd.concat([aggregates, aggregates.assign(metric="weat")])
    found = rank_models(both, NOT_PUBLISHED, DIRECTIONS, ranks_every=True)
    ours, every = (found[found["source"] == source] for source in ("computed", EVERY))
    assert ours["rank"].isna().all()
    assert every["rank"].tolist() == [2, 1, 3, 2, 3, 1]
    assert set(every["note"]) == {"derived from x; ranked all the same"}
    correlated = correlate_rankings(found).set_index(["source", "metric_row", "metric_column"])
    assert correlated.loc[(EVERY, "mac", "weat"), "correlation"] == -1
    assert math.isnan(correlated.loc[("computed", "mac", "weat"), "correlation"])


@pytest.mark.parametrize("metric", ["wefat", "explained_variance"])
def test_how_well_a_line_or_a_direction_fits_is_no_bias(metric):
    assert WordVariant("a", metric, "value").direction["measures_bias"] is False


def test_a_model_alone_is_not_the_first_of_one():
    found = rank_models(computed(a=0.4, b=math.nan), NOT_PUBLISHED, DIRECTIONS).set_index("model")
    assert found["rank"].isna().all()
    assert found["status"].to_dict() == {"a": "alone", "b": "undefined"}
    assert found.loc["a", "note"] == "there is no other model to compare it with"


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
    [
        ([1, 2, 3, 4, 5], [5, 4, 3, 2, 1]),
        ([1, 2, 3, 4, 5], [2, 1, 4, 3, 5]),
        ([1, 2.5, 2.5, 4, 5], [3, 1, 4, 2, 5]),
    ],
)
def test_correlation_is_spearmans_and_may_be_negative(left, right):
    expected = stats.spearmanr(left, right).statistic
    table = ranking(weat=left, mac=right)
    for pair in (("weat", "mac"), ("mac", "weat")):
        assert correlation(table, *pair) == (pytest.approx(expected), 5)
    assert correlation(table, "weat", "weat") == (pytest.approx(1), 5)


@pytest.mark.parametrize("n_models", [2, 3, 4])
def test_so_few_models_agree_by_chance_that_their_correlation_is_not_told(n_models):
    order = list(range(n_models))
    found = correlate_rankings(ranking(weat=order, mac=order[::-1]))
    (pair,) = found[(found["metric_row"] == "weat") & (found["metric_column"] == "mac")].to_dict(
        "records"
    )
    assert math.isnan(pair["correlation"])
    assert math.isnan(pair["p_value"])
    assert pair["n_models"] == n_models
    assert pair["reason"] == "fewer than 5 models: so few agree by chance too often"


def scored(**columns):
    """A ranking with its scores, the models in the order of the lists."""
    return pd.concat(
        [
            rank_models(
                computed(metric, **{f"m{i}": v for i, v in enumerate(column)}),
                NOT_PUBLISHED,
                DIRECTIONS,
            )
            for metric, column in columns.items()
        ]
    )


ALL = ("spearman", "kendall", "pearson")
WEAT, RNSB = [0.1, -0.9, 0.3, 0.5, 0.2], [0.2, 0.9, 0.1, 0.4, 0.3]
MAC = [0.99, 0.7, 0.85, 0.8, 0.9]


def test_every_method_has_its_rows_spearman_first_and_unchanged_by_the_others():
    table = scored(weat=WEAT, mac=MAC, rnsb=RNSB)
    found = correlate_rankings(table, ALL, DIRECTIONS)
    assert list(dict.fromkeys(found["method"])) == list(ALL)
    assert len(found) == 3 * 9
    pd.testing.assert_frame_equal(found[:9], correlate_rankings(table))
    cells = found.set_index(["method", "metric_row", "metric_column"])
    sizes, unfair = np.abs(WEAT), -np.array(MAC)
    for method, function in zip(
        ALL, (stats.spearmanr, stats.kendalltau, stats.pearsonr), strict=True
    ):
        for pair in (("weat", "mac"), ("mac", "weat")):
            cell = cells.loc[(method, *pair)]
            assert cell["correlation"] == pytest.approx(function(sizes, unfair).statistic)
            assert cell["p_value"] == cells.loc[(method, "weat", "mac"), "p_value"]
            assert (cell["p_method"], cell["n_permutations"]) == ("exact", 120)
            assert cell["smallest_p"] <= cell["p_value"] <= 1


def test_a_metric_with_itself_and_a_constant_ranking_are_not_tested_and_say_why():
    found = correlate_rankings(ranking(weat=[3] * 5, mac=[1, 2, 3, 4, 5]))
    assert found["p_value"].isna().all()
    assert found["p_method"].tolist() == ["not tested"] * 4
    constant, itself = "all values of one side are equal", "a metric with itself"
    assert found["reason"].tolist() == [itself, constant, constant, itself]


def test_p_values_of_many_models_depend_on_the_seed_and_not_on_the_order_of_metrics():
    columns = {"weat": list(range(1, 11)), "mac": [2, 1, 4, 3, 7, 5, 6, 10, 9, 8]}
    first = correlate_rankings(ranking(**columns), seed=1)
    again = correlate_rankings(ranking(**dict(reversed(columns.items()))), seed=1)
    other = correlate_rankings(ranking(**columns), seed=2)
    p, same, differing = (
        frame.set_index(["metric_row", "metric_column"])["p_value"]["weat", "mac"]
        for frame in (first, again, other)
    )
    assert p == same != differing
    assert set(first["p_method"]) == {"monte carlo", "not tested"}


def test_sources_and_criteria_are_correlated_apart():
    table = pd.concat(
        [
            ranking(weat=[1, 2, 3, 4, 5], mac=[1, 2, 3, 4, 5]),
            ranking("published", weat=[1, 2, 3, 4, 5], mac=[5, 4, 3, 2, 1]),
            ranking(criterion="Religion", weat=[1, 2, 3, 4, 5], mac=[5, 4, 3, 2, 1]),
        ]
    )
    found = correlate_rankings(table).set_index(
        ["source", "criterion", "metric_row", "metric_column"]
    )
    assert set(found["n_models"]) == {5}
    assert [
        found.loc[(*key, "weat", "mac"), "correlation"]
        for key in (("computed", "Gender"), ("published", "Gender"), ("computed", "Religion"))
    ] == pytest.approx([1, -1, -1])
