"""Many queries on many models: one table, nothing averaged away, nothing lost."""

import logging
import math

import numpy as np
import pytest

from fairflow import Query as OwnQuery
from fairflow.metrics import metric_class
from fairflow.queries.query import QueryInputs
from fairflow.wefe import MAC, RIPA, RND, RNSB, WEAT, BaseMetric, Query, WordEmbeddingModel
from fairflow.wefe.utils import QueriesError, run_queries

AXES = {"right": [1, 0], "up": [0, 1], "left": [-1, 0], "down": [0, -1], "slope": [1, 1]}


class Vocabulary(dict):
    """Words with vectors, in the interface of a VectorStore."""

    def vectors(self, words):
        return np.array([self[word] for word in words], dtype=np.float32)


class Counting(Vocabulary):
    """A vocabulary that records which words are looked up."""

    def __init__(self, words):
        super().__init__(words)
        self.asked = []

    def __contains__(self, word):
        self.asked.append(word)
        return super().__contains__(word)


class Constant(BaseMetric):
    """A metric in the manner of WEFE's tutorial: it overrides run_query."""

    metric_template = (1, 1)
    metric_name = "Constant"
    metric_short_name = "CONST"

    def run_query(self, query, model, value=1.0, **_):
        if model.name == "broken":
            raise RuntimeError("no such vectors")
        return {"query_name": query.query_name, "result": value}


def model(name="axes", without=()):
    return WordEmbeddingModel(Vocabulary({w: v for w, v in AXES.items() if w not in without}), name)


def query(target, attribute, names=None):
    """A query of single words, one word per set."""
    sets = ([[word] for word in words.split()] for words in (target, attribute))
    return Query(*sets, *(names or (target.split(), attribute.split())))


FORWARD = query("right up", "right up")  # WEAT 2, effect size sqrt 2
BACKWARD = query("up right", "right up")  # WEAT -2
SIDEWAYS = query("right left", "up down")  # WEAT 0


def test_rows_are_models_and_columns_are_queries():
    table = run_queries(WEAT, [FORWARD, BACKWARD], [model("a"), model("b")])
    assert (table.index.name, list(table.index)) == ("model_name", ["a", "b"])
    assert (table.columns.name, list(table.columns)) == (
        "query_name",
        ["right and up wrt right and up", "up and right wrt right and up"],
    )
    assert table.to_numpy().tolist() == [[2, -2], [2, -2]]


def test_different_queries_of_one_name_are_refused_and_named():
    unnamed = [Query([["right"], ["up"]], [["right"], [word]]) for word in ("up", "down")]
    with pytest.raises(ValueError, match="Target set 0 and Target set 1 wrt Attribute set 0"):
        run_queries(WEAT, unnamed, [model()])


def test_different_models_of_one_name_are_refused_and_named():
    with pytest.raises(ValueError, match="'axes'"):
        run_queries(WEAT, [FORWARD], [model(), model()])


def test_a_larger_query_is_split_into_the_template_of_the_metric():
    table = run_queries(RND, [FORWARD], [model()], generate_subqueries=True)
    assert list(table.columns) == ["right and up wrt right", "right and up wrt up"]
    assert table.iloc[0].tolist() == pytest.approx([-math.sqrt(2), math.sqrt(2)])


def test_subqueries_of_the_same_words_count_once_and_others_of_their_name_are_numbered():
    queries = [
        query("right up", "left down", (["T", "U"], ["A", "Arts"])),
        query("right up", "left slope", (["T", "U"], ["A", "Arts"])),
        query("right up", "down slope", (["T", "U"], ["Arts", "B"])),
        query("right up", "up", (["T", "U"], ["Arts"])),
    ]
    table = run_queries(RND, queries, [model()], generate_subqueries=True)
    names = ["T and U wrt A", "T and U wrt Arts", "T and U wrt Arts (2)", "T and U wrt Arts (3)"]
    assert list(table.columns) == names


@pytest.mark.parametrize(("metric", "params"), [(MAC, {}), (RNSB, {"holdout": False})])
def test_a_metric_for_any_number_of_sets_keeps_them(metric, params):
    whole = query("right up left", "up down")
    options = {"metric_params": params, "generate_subqueries": True}
    table = run_queries(metric, [whole], [model()], **options)
    assert list(table.columns) == [whole.query_name]
    assert table.iloc[0, 0] == metric().run_query(whole, model(), **params)["result"]


def test_a_query_too_small_for_the_template_is_left_out_with_a_warning():
    small = query("right up", "up")
    with pytest.warns(UserWarning, match="left out .*'right and up wrt up'"):
        table = run_queries(WEAT, [small, FORWARD], [model()], generate_subqueries=True)
    assert list(table.columns) == [FORWARD.query_name]
    with pytest.raises(ValueError, match="too few sets"):
        run_queries(WEAT, [small], [model()], generate_subqueries=True)


def test_metric_params_take_the_threshold_and_the_preprocessors_and_win():
    shouted = query("RIGHT up", "right nowhere", (["T", "U"], ["A", "B"]))
    spelt = {"preprocessors": [{}, {"lowercase": True}]}
    kept = {"lost_vocabulary_threshold": 0.5}
    half = Query([["RIGHT"], ["up"]], [["right"], ["up", "nowhere"]])
    assert math.isnan(run_queries(WEAT, [shouted], [model()], metric_params=spelt).iloc[0, 0])
    assert run_queries(WEAT, [half], [model()], metric_params=spelt | kept).iloc[0, 0] == 2
    assert math.isnan(run_queries(WEAT, [half], [model()], metric_params=kept).iloc[0, 0])


def test_a_formula_without_value_is_nan_and_its_reason_is_logged(caplog):
    with caplog.at_level(logging.WARNING):
        table = run_queries(RIPA, [query("up up", "right", (["T", "U"], ["A"]))], [model()])
    assert math.isnan(table.iloc[0, 0])
    assert "T and U wrt A is undefined on axes" in caplog.text


def test_a_failure_names_every_query_and_model_and_keeps_the_finished_results():
    queries = [query("right", "up"), query("up", "right")]
    models = [model("good"), model("broken"), model("fine")]
    with pytest.raises(QueriesError, match="2 of 6 results failed") as caught:
        run_queries(Constant, queries, models, aggregate_results=True)
    assert "RuntimeError: no such vectors" in str(caught.value)
    assert "'right wrt up' on 'broken'" in str(caught.value)
    assert [failure[:2] for failure in caught.value.failures] == [
        ("right wrt up", "broken"),
        ("up wrt right", "broken"),
    ]
    results = caught.value.results
    assert results.loc["broken"].isna().all()
    assert results.loc[["good", "fine"]].to_numpy().tolist() == [[1, 1], [1, 1]]


def test_a_word_set_is_sought_once_however_many_queries_use_it():
    words = Counting(AXES)
    run_queries(WEAT, [FORWARD, BACKWARD, SIDEWAYS], [WordEmbeddingModel(words, "m")])
    assert sorted(words.asked) == sorted(["right", "up", "left", "down"])


@pytest.mark.parametrize("policy", ["shared_words", "zero_vectors", "strategy"])
def test_remembering_sets_changes_no_look_up(policy):
    from fairflow.queries.lookup import Lookup
    from fairflow.studies.batch import remembering

    plain = WordEmbeddingModel(Vocabulary(AXES | {"UP": [0, 2], "nil": [0, 0]}), "m")
    queries = [
        Query([["up", "nil"], ["right", "up"]], [["up", "nowhere", "up"]]),
        Query([["up", "nil"], ["left"]], [["right", "up"], ["up", "nil"]], ["X", "Y"]),
    ]
    values = {"shared_words": ("keep", "drop", "refuse"), "zero_vectors": ("error", "absent")}
    memory = remembering(plain)
    for value in values.get(policy, ("first", "all")):
        lookup = Lookup(({}, {"uppercase": True}), **{policy: value})
        for asked in queries:
            found, expected = memory.look_up(asked, lookup), plain.look_up(asked, lookup)
            assert (found.targets, found.attributes) == (expected.targets, expected.attributes)
            assert (found.forms, found.lookup) == (expected.forms, expected.lookup)
            np.testing.assert_array_equal(found.vectors, expected.vectors)


@pytest.mark.parametrize(
    ("metric", "n_sets", "declared"),
    [
        ("direct_bias", (1, 0), {"pairs": (("right", "left"), ("up", "slope"))}),
        ("projection", (1, 0), {"pairs": (("right", "left"),)}),
        ("wefat", (1, 2), {"values": {"right": 0.1, "up": 0.5, "slope": 0.7}}),
    ],
)
def test_what_a_query_declares_besides_its_sets_is_not_lost(metric, n_sets, declared):
    n_targets, n_attributes = n_sets
    asked = OwnQuery(
        [["right", "up", "slope"]] * n_targets,
        [["left", "down"], ["up", "slope"]][:n_attributes],
        declared=QueryInputs(**declared),
    )
    alone = metric_class(metric)().run_query(asked, model())["result"]
    assert math.isfinite(alone)
    assert run_queries(metric_class(metric), [asked], [model()]).iloc[0, 0] == alone


@pytest.mark.parametrize(
    ("argument", "value", "error"),
    [
        ("metric", RuntimeError, TypeError),
        ("metric", "WEAT", TypeError),
        ("queries", (FORWARD,), TypeError),
        ("queries", [], ValueError),
        ("queries", [FORWARD, "a query"], TypeError),
        ("models", None, TypeError),
        ("models", [], ValueError),
        ("models", ["word2vec"], TypeError),
        ("queries_set_name", "", TypeError),
        ("queries_set_name", 1, TypeError),
        ("lost_vocabulary_threshold", "0.2", TypeError),
        ("lost_vocabulary_threshold", True, TypeError),
        ("metric_params", [("a", 1)], TypeError),
        ("metric_params", None, TypeError),
        ("metric_params", {"lost_vocabulary_threshold": None}, TypeError),
        ("generate_subqueries", "yes", TypeError),
        ("aggregate_results", 1, TypeError),
        ("aggregation_function", "mean", ValueError),
        ("aggregation_function", None, ValueError),
        ("aggregation_function", ["avg"], ValueError),
        ("return_only_aggregation", None, TypeError),
        ("warn_not_found_words", 0, TypeError),
    ],
)
def test_an_argument_of_the_wrong_kind_is_refused_by_name(argument, value, error):
    arguments = {"metric": WEAT, "queries": [FORWARD], "models": [model()], argument: value}
    name = "lost_vocabulary_threshold" if isinstance(value, dict) else argument
    with pytest.raises(error, match=name):
        run_queries(**arguments)


@pytest.mark.parametrize(
    "function",
    [
        lambda table: table.max(axis=1).rename("any name"),
        lambda table: table.max(axis=1)[::-1],
        lambda table: table.max(axis=1).to_numpy(),
        lambda table: list(table.max(axis=1)),
    ],
)
def test_what_a_callable_returns_is_aligned_on_the_models(function):
    table = run_queries(
        WEAT,
        [FORWARD, query("down left", "down left")],
        [model("a"), model("b", without=("left", "down"))],
        lost_vocabulary_threshold=0.5,
        aggregate_results=True,
        aggregation_function=function,
    )
    assert list(table.index) == ["a", "b"]
    assert table.columns[-1] == "WEAT: Unnamed queries set custom aggregation score"
    assert table.iloc[:, -1].tolist() == [2, 2]
