"""Rank 1 is the fairest model, whatever the metric; correlations are those of the ranks."""

import math

import pandas as pd
import pytest

from fairflow.wefe import MAC, WEAT, Query, WordEmbeddingModel
from fairflow.wefe.utils import calculate_ranking_correlations, create_ranking, run_queries

NAN = math.nan
WEAT_COLUMN = "WEAT: Gender average of abs values score"
RND_COLUMN = "RND: Gender average of abs values score"


def scores(column, models="ABCD", **others):
    """A results table whose last column is named `column`; a letter per model."""
    name, values = column
    return pd.DataFrame({**others, name: values}, index=list(models), dtype=float)


WEAT_SCORES = scores((WEAT_COLUMN, [0.3, 0.1, 0.1, NAN]), q1=[1, 2, 3, 4])
RND_SCORES = scores((RND_COLUMN, [0.2, 0.2, 0.05, 0.1]))


def ranks(*tables, **options):
    """The ranking's values, NaN as None."""
    table = create_ranking(list(tables), **options)
    return [[None if math.isnan(rank) else rank for rank in row] for row in table.to_numpy()]


def test_ties_share_their_rank_by_default():
    assert ranks(RND_SCORES) == ranks(RND_SCORES, method="average")


@pytest.mark.parametrize("short", ["MAC", "ECT"])
def test_of_mac_and_ect_the_larger_value_is_the_fairer(short):
    table = scores((f"{short}: Gender average score", [0.91, 0.97, 0.85]), models="ABC")
    assert ranks(table) == [[2], [1], [3]]
    assert ranks(table, ascending=True) == [[2], [3], [1]]


@pytest.mark.parametrize("short", ["WEAT", "WEAT ES", "RND", "RIPA"])
def test_a_signed_score_is_fair_near_zero_not_far_below(short):
    table = scores((f"{short}: Gender average score", [-0.9, 0.1, 0.5]), models="ABC")
    assert ranks(table) == [[3], [1], [2]]
    assert ranks(table, ascending=True) == [[1], [2], [3]]


@pytest.mark.parametrize("column", ["x", "os.path: a score", "base: a score", "No Metric: score"])
def test_a_column_of_unknown_metric_is_ranked_small_first_with_a_warning(column):
    with pytest.warns(UserWarning, match="does not tell its metric"):
        assert ranks(scores((column, [0.5, -1, 2, 0]))) == [[3], [1], [4], [2]]


def three_words(name, **vectors):
    return WordEmbeddingModel({"a": [1, 0], "b": [0, 1], "c": [1, 1], **vectors}, name)


SIMPLE = Query([["a"], ["b"]], [["a"], ["b"]], ["A", "B"], ["C", "D"])
UNCOMMON = Query([["a"], ["rare"]], [["a"], ["b"]], ["A", "R"], ["C", "D"])


class Upside(MAC):
    """A metric of the user's, whose short name is in no registry."""

    metric_short_name = "UPSIDE"


def test_a_table_of_run_queries_knows_its_direction_whatever_its_column_is_called():
    models = [three_words("near", a=[1, 1]), three_words("far")]
    queries = [Query([["a"]], [["b"]])]
    single = run_queries(Upside, queries, models)
    aggregated = run_queries(Upside, queries, models, aggregate_results=True)
    assert create_ranking([single, aggregated]).to_numpy().tolist() == [[2, 2], [1, 1]]


def test_the_direction_of_a_table_does_not_pass_to_a_column_added_to_it():
    table = run_queries(WEAT, [SIMPLE], [three_words("one"), three_words("two")])
    table["MAC: Gender average score"] = [0.8, 0.9]
    assert create_ranking([table]).iloc[:, 0].tolist() == [2, 1]


def test_a_model_that_lost_a_query_of_the_others_is_named():
    models = [three_words("rich", rare=[0, 2]), three_words("poor")]
    table = run_queries(WEAT, [SIMPLE, UNCOMMON], models, aggregate_results=True)
    with pytest.warns(UserWarning, match="'poor' lacks 'A and R wrt C and D'"):
        create_ranking([table])


def test_a_query_that_every_model_lost_is_no_reason_to_warn():
    models = [three_words("one"), three_words("two")]
    table = run_queries(WEAT, [SIMPLE, UNCOMMON], models, aggregate_results=True)
    assert create_ranking([table]).iloc[:, 0].tolist() == [1.5, 1.5]


def test_a_model_that_lost_every_query_has_no_rank():
    models = [three_words("rich", rare=[0, 2]), three_words("poor")]
    options = {"aggregate_results": True, "aggregation_function": "sum"}
    table = run_queries(WEAT, [UNCOMMON], models, **options)
    assert create_ranking([table]).iloc[:, 0].tolist() == pytest.approx([1, NAN], nan_ok=True)


@pytest.mark.parametrize(
    ("tables", "options", "error"),
    [
        (WEAT_SCORES, {}, TypeError),
        ([WEAT_SCORES, [1, 2]], {}, TypeError),
        ([], {}, ValueError),
        ([WEAT_SCORES], {"method": "best"}, KeyError),
        ([WEAT_SCORES], {"ascending": "no"}, TypeError),
        ([pd.DataFrame(index=["A"])], {}, IndexError),
        ([pd.concat([RND_SCORES, RND_SCORES])], {}, ValueError),
    ],
)
def test_tables_that_cannot_be_ranked_are_refused(tables, options, error):
    with pytest.raises(error):
        create_ranking(tables, **options)


RANKS = pd.DataFrame(
    {
        "r1": [1.5, 1.5, 3, 4, 5],
        "r2": [2, 1, 4, 5, 3],
        "r3": [NAN, 4, 3, 1, 2],
        "same": [1.0] * 5,
    },
    index=list("ABCDE"),
)


def test_spearman_is_the_default_and_a_constant_ranking_has_no_correlation():
    matrix = calculate_ranking_correlations(RANKS)
    assert matrix.loc["r1", "r2"] == pytest.approx(0.6668859288553503)
    assert matrix["same"].isna().all()


@pytest.mark.parametrize(
    ("ranking", "method", "error"),
    [([[1, 2]], "spearman", TypeError), (RANKS, "cosine", ValueError)],
)
def test_what_cannot_be_correlated_is_refused(ranking, method, error):
    with pytest.raises(error):
        calculate_ranking_correlations(ranking, method)
