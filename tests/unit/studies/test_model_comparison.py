"""How sure a ranking is: places over joint draws, pairs of models, tests over queries."""

import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from tables_of_scores import DIRECTIONS, headline

from fairflow.files.tables import read_table, write_table
from fairflow.studies.aggregation import AGGREGATIONS, Rules, aggregate
from fairflow.studies.model_comparison import compare_models
from fairflow.studies.ranking import NOT_PUBLISHED, rank_distribution, rank_models

METRICS = ("weat", "rnsb", "mac")
KEYS = ["criterion", "metric", "model"]


def table(*rows):
    return pd.DataFrame([headline(*cells) if isinstance(cells, tuple) else cells for cells in rows])


def compare(scores, aggregation="abs_avg", minimum_coverage=0.5):
    return compare_models(scores, Rules(aggregation, DIRECTIONS, minimum_coverage))


def study(n_draws=50, seed=0):
    """Five models, three metrics, two criteria of four queries; ties, losses and lost draws."""
    random = np.random.default_rng(seed)
    rows = []
    for metric, (i, model), (j, digest) in product(
        METRICS, enumerate("abcde"), enumerate("stuvwxyz")
    ):
        value = round(random.normal(0.3 * (i % 3), 0.4), 1)
        draws = [value + random.normal(0, 0.2) for _ in range(n_draws)]
        lost = (model == "e" and j < 6) or (model, digest) == ("b", "u")
        criterion = "Gender" if j < 4 else "Religion"
        rows.append(
            headline(model, digest, math.nan if lost else value, None if lost else draws, metric)
            | {"criterion": criterion}
        )
    repeated = rows[1] | {"query": "another", "criterion": "Religion"}
    return pd.DataFrame([*rows, repeated])


def test_two_copies_of_a_model_share_their_places_and_beat_each_other_half_the_time():
    draws = np.random.default_rng(0).normal(0.5, 0.1, 200)
    # Vectors of unit length give the same scores but for the rounding of float32.
    copy = draws + np.random.default_rng(1).uniform(-2e-8, 2e-8, 200)
    found = compare(
        table(
            ("original", "x", 0.5, list(draws)),
            ("copy", "x", 0.5 + 1e-8, list(copy)),
            ("worse", "x", 2.0, list(draws + 3)),
        )
    )
    pairs = found.pairwise.set_index(["model", "other"])
    assert pairs["p_fairer"].to_dict() == {
        ("original", "copy"): 0.5,
        ("original", "worse"): 1,
        ("copy", "original"): 0.5,
        ("copy", "worse"): 1,
        ("worse", "original"): 0,
        ("worse", "copy"): 0,
    }
    # One query tests nothing.
    assert pairs[["wilcoxon_p", "wilcoxon_holm"]].isna().all().all()
    assert pairs["note"].str.endswith("groups of queries without common words, here 1").all()
    places = found.rank_probabilities.pivot(index="model", columns="place", values="probability")
    assert places.loc["copy"].tolist() == places.loc["original"].tolist() == [0.5, 0.5, 0]
    assert places.loc["worse"].tolist() == [0, 0, 1]
    ranks = found.rank_uncertainty.set_index("model")
    shared = ranks.loc["copy", ["expected_rank", "rank_low", "rank_high"]]
    assert shared.tolist() == [1.5, 1.5, 1.5]


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@pytest.mark.parametrize("metric", METRICS)
def test_a_draw_is_aggregated_as_the_scores_themselves_are(aggregation, metric):
    scores = study().query("metric == @metric")
    # Put the scores of draw 7 in the place of the scores: the ranking is that of this draw.
    drawn = scores["draws"].map(lambda d: math.nan if d is None else d[7])
    expected = aggregate(scores.assign(value=drawn), Rules(aggregation, DIRECTIONS, 0.5))
    one = scores.assign(draws=scores["draws"].map(lambda d: d and [d[7]]))
    found = compare(one, aggregation).rank_uncertainty
    ranking = rank_models(expected, NOT_PUBLISHED, DIRECTIONS)
    both = found.merge(ranking, on=KEYS)
    assert len(both) == len(ranking) == 15
    pd.testing.assert_series_equal(
        both["expected_rank"], both["rank"], check_names=False, check_dtype=False
    )


def test_a_model_is_not_compared_with_its_own_vectors_at_another_length():
    values = {"original": [1.0, 2, 3], "twin": [1.0, 2, 3], "other": [3.0, 4, 5]}
    scores = table(
        *[(m, f"q{i}", v, [v] * 9) for m, column in values.items() for i, v in enumerate(column)]
    )
    vectors = {"twin": "original"}
    found = compare_models(scores, Rules("abs_avg", DIRECTIONS, 0.5, vectors))
    assert set(zip(found.pairwise["model"], found.pairwise["other"], strict=True)) == {
        ("original", "other"),
        ("other", "original"),
    }
    assert set(found.rank_probabilities["place"]) == {1, 2}
    assert "twin" not in set(found.rank_probabilities["model"])
    ranks = found.rank_uncertainty.set_index("model")
    assert ranks["expected_rank"].dropna().to_dict() == {"original": 1, "other": 2}
    assert ranks.loc["twin", "note"] == (
        "the same vectors as original, which is compared in its place"
    )
    alone = compare_models(
        scores[scores["model"] != "other"], Rules("abs_avg", DIRECTIONS, 0.5, vectors)
    )
    assert alone.rank_uncertainty["expected_rank"].isna().all()
    assert alone.pairwise.empty
    assert "there is no other model" in alone.rank_uncertainty.loc[0, "note"]


def test_by_a_metric_that_grows_with_length_no_models_are_compared():
    scores = study()
    found = compare_models(
        scores, Rules("abs_avg", DIRECTIONS, 0.5, incomparable={"rnsb": "grows_with_length"})
    )
    for frame in (found.rank_probabilities, found.pairwise):
        assert set(frame["metric"]) == {"weat", "mac"}
    own = found.rank_uncertainty.query("metric == 'rnsb'")
    assert own["expected_rank"].isna().all()
    own = own[own["model"] != "e"]  # which defines too few (sub-)queries
    assert own["note"].str.contains("grow with the length of vectors").all()


def test_a_model_that_is_not_comparable_has_no_rank_and_a_reason():
    found = compare(study())
    chosen = found.rank_uncertainty.query("criterion == 'Gender' and metric == 'weat'")
    rows = chosen.set_index("model")
    assert math.isnan(rows.loc["e", "expected_rank"])
    assert rows.loc["e", "note"] == "defines fewer than 50% of the (sub-)queries"
    assert "e" not in set(found.pairwise.query("criterion == 'Gender'")["model"])


@pytest.mark.parametrize("draws", [None, "empty", "no column"])
def test_scores_without_draws_still_have_ranks_and_tests_and_say_what_is_missing(draws, tmp_path):
    scores = study()
    scores["draws"] = [[] if draws == "empty" else None] * len(scores)
    scores = scores.drop(columns="draws") if draws == "no column" else scores
    found = compare(scores)
    assert found.rank_probabilities.empty
    uncertain = found.rank_uncertainty
    assert "the scores hold no draws" in set(uncertain["note"])
    assert uncertain[["expected_rank", "rank_low", "rank_high"]].isna().all().all()
    of_draws = ["difference_low", "difference_high", "p_fairer", "p_value", "p_bh"]
    assert found.pairwise[of_draws].isna().all().all()
    assert found.pairwise["wilcoxon_holm"].notna().all()
    write_table(found.rank_probabilities, tmp_path / "empty.csv")
    read = read_table(tmp_path / "empty.csv")
    assert list(read) == ["criterion", "metric", "model", "place", "probability"]


def test_pairs_are_tested_over_queries_and_adjusted_for_each_other():
    values = {"a": [0.1, 0.2, 0.3, 0.4], "b": [-0.3, 0.5, -0.7, 0.9], "c": [0.2, 0.1, 0.4, 0.3]}
    scores = table(*[(m, f"q{i}", v) for m in values for i, v in enumerate(values[m])])
    pairs = compare(scores).pairwise.set_index(["model", "other"])
    for (model, other), found in pairs.iterrows():
        differences = np.abs(values[model]) - np.abs(values[other])
        assert found["n_queries"] == 4
        if {model, other} != {"a", "c"}:  # those have equal sizes
            expected = stats.wilcoxon(differences, method="exact").pvalue
            assert found["wilcoxon_p"] == pytest.approx(expected)
    assert pairs.loc[("a", "b"), "wilcoxon_p"] == 0.125
    assert pairs.loc[("a", "b"), "wilcoxon_holm"] == 0.375
    assert pairs.loc[("a", "c"), "wilcoxon_holm"] == 1


def test_all_tests_of_the_page_are_corrected_together():
    rows = [
        headline(m, f"{criterion}{i}", i + 1 + (m == "n"), criterion=criterion)
        for m, criterion, i in product("mn", "GR", range(6))
    ]
    pairs = compare(table(*rows)).pairwise.drop_duplicates("criterion").set_index("criterion")
    # One pair a criterion: 2 / 2**6 for each of two, and 2 / 2**12 for both together.
    assert pairs["wilcoxon_p"].tolist() == [2 / 2**6, 2 / 2**6, 2 / 2**12]
    assert pairs["wilcoxon_holm"].tolist() == [4 / 2**6, 4 / 2**6, 6 / 2**12]


def test_pairs_are_compared_by_sizes_over_draws_whatever_the_study_aggregates():
    draws = {"m": [0.2] * 50 + [0.4] * 50, "n": [0.1] * 100}
    scores = table(
        *[
            (m, d, s * {"m": 0.3, "n": 0.1}[m], [s * x for x in draws[m]])
            for m in "mn"
            for d, s in (("x", 1), ("y", -1))
        ]
    )
    pairs = compare(scores, "avg").pairwise.set_index("model")
    ends = ["difference", "difference_low", "difference_high", "p_fairer"]
    assert pairs.loc["m", ends].tolist() == pytest.approx([0.2, 0.1, 0.3, 0.0])
    assert pairs.loc["n", ends].tolist() == pytest.approx([-0.2, -0.3, -0.1, 1.0])
    # No draw is on the other side: as many as there are tell nothing of a smaller p.
    assert pairs["p_value"].tolist() == pytest.approx([2 / 101] * 2)


def test_p_values_over_draws_are_adjusted_over_all_pairs_and_criteria_of_a_metric():
    draws = {"m": [0.0] * 95 + [9.0] * 5, "n": [1.0] * 100}
    rows = [
        headline(m, f"{c}{n}", 1.0, draws[m] if c == "G" else [1.0] * 100, metric, c)
        for metric, m, c, n in product(("weat", "rnsb"), "mn", "GR", range(2))
    ]
    pairs = compare(table(*rows)).pairwise
    of_one = pairs[pairs["metric"] == "weat"].drop_duplicates("criterion")
    # 5 of 100 draws are on the other side of G and of Overall, and of R there is no difference.
    assert of_one["p_value"].tolist() == pytest.approx([12 / 101, 1, 12 / 101])
    assert of_one["p_bh"].tolist() == pytest.approx([18 / 101, 1, 18 / 101])


def test_queries_that_share_words_are_one_group_in_tests_with_their_mean():
    values = {"m": [1, 2, 3, 4, 5, 6], "n": [2, 3, 4, 5, 6, 7], "o": [3, 4, 5, 3, 4, 8]}
    scores = table(*[(m, f"{i}", v) for m in values for i, v in enumerate(values[m])])
    groups = {"q-0": "q-0", "q-3": "q-0", "q-4": "q-0", "q-1": "q-1"}
    found = compare_models(scores, Rules("abs_avg", DIRECTIONS, 0.5, query_groups=groups))
    pairs = found.pairwise.set_index(["model", "other"])
    # Groups are 0, 3 and 4; 1; 2; and 5: of m and n each differs by 1, so that p is 2 / 2**4.
    assert set(zip(pairs["n_queries"], pairs["n_groups"], strict=True)) == {(6, 4)}
    assert pairs.loc[("m", "n"), "wilcoxon_p"] == 2 / 2**4
    # Of o and n the means differ by -1, 1, 1 and 1, which share their ranks.
    assert pairs.loc[("n", "o"), "wilcoxon_p"] == 10 / 2**4


def test_places_are_counted_draw_by_draw():
    #           a first, b first, tie, a first
    found = rank_distribution(np.array([[1.0, 3, 2, 1], [2.0, 1, 2, 3], [9.0, 9, 9, 2]]))
    assert found.probabilities.tolist() == [
        [0.625, 0.375, 0],
        [0.375, 0.375, 0.25],
        [0, 0.25, 0.75],
    ]
    assert found.expected.tolist() == [1.375, 1.875, 2.75]
    assert (found.low.tolist(), found.high.tolist()) == ([1, 1, 2], [2, 3, 3])
    assert found.n_draws == 4


def test_chances_of_places_add_up():
    values = np.random.default_rng(0).integers(0, 4, size=(6, 300)).astype(float)
    found = rank_distribution(values)
    assert found.probabilities.sum(axis=0) == pytest.approx(np.ones(6))
    assert found.probabilities.sum(axis=1) == pytest.approx(np.ones(6))
    assert found.expected == pytest.approx(found.probabilities @ np.arange(1, 7))
    ranks = stats.rankdata(values, axis=0)
    assert found.expected == pytest.approx(ranks.mean(axis=1))


def test_a_draw_without_a_number_for_every_model_is_left_out():
    found = rank_distribution(np.array([[1.0, math.nan, 1], [2.0, 0, 2]]))
    assert (found.n_draws, found.expected.tolist()) == (2, [1, 2])
