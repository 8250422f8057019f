"""The aggregate of a results table: what it is called, what it sums up, what it refuses."""

import math

import pytest

from fairflow.wefe import ECT, WEAT, Query, WordEmbeddingModel
from fairflow.wefe.utils import run_queries


@pytest.fixture
def axes(model_of):
    """A model with a word for each direction of the plane."""
    return model_of(right=[1, 0], up=[0, 1], left=[-1, 0], down=[0, -1], slope=[1, 1])


def query(target, attribute):
    """A query of single words, one word per set."""
    sets = ([[word] for word in words.split()] for words in (target, attribute))
    return Query(*sets, target.split(), attribute.split())


FORWARD = query("right up", "right up")  # WEAT 2, effect size 2
BACKWARD = query("up right", "right up")  # WEAT -2


@pytest.mark.parametrize(
    ("rule", "value", "label"),
    [
        ("sum", -2, "sum"),
        ("avg", -2 / 3, "average"),
        ("abs_sum", 6, "sum of abs values"),
        ("abs_avg", 2, "average of abs values"),
    ],
)
def test_the_aggregate_is_the_last_column_and_bears_metric_set_and_rule(rule, value, label, axes):
    queries = [FORWARD, BACKWARD, query("left down", "right up")]
    table = run_queries(
        WEAT,
        queries,
        [axes],
        queries_set_name="Turns",
        aggregate_results=True,
        aggregation_function=rule,
    )
    assert table.columns[-1] == f"WEAT: Turns {label} score"
    assert table.iloc[0, -1] == pytest.approx(value)
    assert len(table.columns) == 4


def test_an_aggregate_leaves_undefined_queries_out(axes):
    queries = [FORWARD, query("right nowhere", "right up")]
    table = run_queries(WEAT, queries, [axes], aggregate_results=True)
    assert math.isnan(table.iloc[0, 1])
    assert table.iloc[0, 2] == 2


@pytest.mark.parametrize("rule", ["sum", "abs_sum", "avg", "abs_avg"])
def test_nothing_defined_aggregates_to_nan_also_as_a_sum(rule, axes):
    lost = query("right nowhere", "right up")
    options = {"aggregate_results": True, "aggregation_function": rule}
    assert math.isnan(run_queries(WEAT, [lost], [axes], **options).iloc[0, -1])


@pytest.mark.parametrize("metric", [ECT])
def test_a_metric_without_direction_is_aggregated_without_absolute_values(metric, axes):
    pair = Query([["right"], ["up"]], [["right", "up", "slope"]], ["T", "U"], ["A"])
    table = run_queries(metric, [pair], [axes], aggregate_results=True)
    assert table.columns[-1] == f"{metric.metric_short_name}: Unnamed queries set average score"
    assert table.iloc[0, -1] == table.iloc[0, 0]


def test_the_effect_size_has_an_aggregate_of_its_own_name(axes):
    options = {"metric_params": {"return_effect_size": True}, "aggregate_results": True}
    table = run_queries(WEAT, [FORWARD], [axes], **options)
    assert table.columns[-1] == "WEAT ES: Unnamed queries set average of abs values score"
    assert table.iloc[0, 0] == pytest.approx(2)


@pytest.mark.parametrize(
    "function",
    [
        lambda table: table.max(axis=1).rename("any name"),
        lambda table: table.max(axis=1)[::-1],
        lambda table: table.max(axis=1).to_numpy(),
        lambda table: list(table.max(axis=1)),
    ],
)
def test_what_a_callable_returns_is_aligned_on_the_models(function, model_of):
    models = [
        WordEmbeddingModel(model_of(right=[1, 0], up=[0, 1], **more).wv, name)
        for name, more in (("a", {"left": [-1, 0], "down": [0, -1]}), ("b", {}))
    ]
    table = run_queries(
        WEAT,
        [FORWARD, query("down left", "down left")],
        models,
        lost_vocabulary_threshold=0.5,
        aggregate_results=True,
        aggregation_function=function,
    )
    assert list(table.index) == ["a", "b"]
    assert table.columns[-1] == "WEAT: Unnamed queries set custom aggregation score"
    assert table.iloc[:, -1].tolist() == [2, 2]
