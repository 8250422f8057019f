"""What run_queries accepts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fairflow.errors import nearest
from fairflow.metrics.base_metric import BaseMetric
from fairflow.queries.query import Query
from fairflow.studies.aggregation import AGGREGATIONS
from fairflow.vectors.word_embedding_model import WordEmbeddingModel


def checked_metric(metric: Any) -> BaseMetric:
    """The metric itself, or an instance of the class given.

    Raises
    ------
    TypeError : neither a metric nor a class of metrics.
    """
    instance = metric() if isinstance(metric, type) else metric
    if not isinstance(instance, BaseMetric):
        raise TypeError(f"metric must be a subclass of BaseMetric, or one made, got {metric!r}")
    return instance


def check_queries_and_models(queries: Any, models: Any) -> None:
    """Refuse anything but filled lists (or arrays) of queries and of models.

    Raises
    ------
    TypeError : not a list, or an element of another type.
    ValueError : an empty list.
    """
    for argument, values, kind in (
        ("queries", queries, Query),
        ("models", models, WordEmbeddingModel),
    ):
        if not isinstance(values, (list, np.ndarray)):
            raise TypeError(f"{argument} must be a list or array, got {type(values)}")
        if len(values) == 0:
            raise ValueError(f"{argument} is empty")
        for position, value in enumerate(values):
            if not isinstance(value, kind):
                raise TypeError(
                    f"{argument}[{position}] must be a {kind.__name__}, got {type(value)}"
                )


def check_settings(
    queries_set_name: Any, metric_params: Any, aggregation_function: Any, **flags: Any
) -> None:
    """Refuse settings of the wrong type and unknown aggregations.

    Parameters
    ----------
    flags : settings that must be True or False.

    Raises
    ------
    TypeError : the wrong type, or an empty name.
    ValueError : the aggregation is neither known nor callable.
    """
    if not isinstance(queries_set_name, str) or not queries_set_name:
        raise TypeError(f"queries_set_name must be a non-empty string, got {queries_set_name!r}")
    if not isinstance(metric_params, dict):
        raise TypeError(f"metric_params must be a dict, got {metric_params!r}")
    named = isinstance(aggregation_function, str) and aggregation_function in AGGREGATIONS
    if not named and not callable(aggregation_function):
        hint = nearest(aggregation_function, AGGREGATIONS)
        raise ValueError(f"unknown aggregation_function {aggregation_function!r}. {hint}")
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise TypeError(f"{name} must be True or False, got {value!r}")


def check_threshold(threshold: Any) -> None:
    """Refuse a lost_vocabulary_threshold that is not a number.

    Raises
    ------
    TypeError : any other type; True and False are no numbers here.
    """
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float, np.floating)):
        raise TypeError(f"lost_vocabulary_threshold must be a number, got {threshold!r}")


def distinct_models(models: Sequence[WordEmbeddingModel]) -> list[WordEmbeddingModel]:
    """The models in order, one given twice only once.

    Raises
    ------
    ValueError : two models of one name; their results would share a row.
    """
    distinct = list({id(model): model for model in models}.values())
    names = [model.name for model in distinct]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(
            f"different models share the names {repeated}; give each its own: "
            "WordEmbeddingModel(wv, name=...)"
        )
    return distinct
