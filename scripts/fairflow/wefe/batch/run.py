"""run_queries: one metric on many queries and models."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from fairflow.errors import DegenerateError
from fairflow.metrics.base_metric import BaseMetric
from fairflow.queries.query import Query
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.wefe.batch.aggregate_column import aggregate_column
from fairflow.wefe.batch.arguments import (
    check_queries_and_models,
    check_settings,
    check_threshold,
    checked_metric,
    distinct_models,
)
from fairflow.wefe.batch.failures import QueriesError
from fairflow.wefe.batch.labels import by_name, subqueries_by_name
from fairflow.wefe.batch.remembering_model import remembering
from fairflow.wefe.former_names import accepts_former_names

logger = logging.getLogger(__name__)

_NO_PARAMETERS: dict[str, Any] = {}


@dataclass
class _Batch:
    """Scores by model, and what went wrong."""

    rows: dict[str, list[float]] = field(default_factory=dict)
    failures: list[tuple[str, str, Exception]] = field(default_factory=list)


@accepts_former_names("run_queries")
def run_queries(
    metric: type[BaseMetric] | BaseMetric,
    queries: Sequence[Query],
    models: Sequence[WordEmbeddingModel],
    queries_set_name: str = "Unnamed queries set",
    lost_vocabulary_threshold: float = 0.2,
    metric_params: Mapping[str, Any] = _NO_PARAMETERS,
    generate_subqueries: bool = False,
    aggregate_results: bool = False,
    aggregation_function: str | Callable[[pd.DataFrame], Any] = "abs_avg",
    return_only_aggregation: bool = False,
    warn_not_found_words: bool = False,
) -> pd.DataFrame:
    """Run every query on every model, and tabulate the results.

    Arguments are also taken under the names of WEFE 0.2.2, with a DeprecationWarning.

    Parameters
    ----------
    metric : a metric or its class. queries, models : lists or arrays.
    queries_set_name : names the aggregate.
    metric_params : further arguments of the metric's `run_query`, preprocessors among them. A
        `lost_vocabulary_threshold` or `warn_not_found_words` in it wins over the argument here.
    generate_subqueries : replace each query by its sub-queries of the metric's template.
    aggregate_results : append a column that sums up each row.
    aggregation_function : "avg", "abs_avg", "sum", "abs_sum", or a callable that gets the table
        and returns a Series over its index or as many numbers as there are models.
    return_only_aggregation : keep no column but the aggregate.
    warn_not_found_words : log the lost words of each set.

    Returns
    -------
    Models as rows (`model_name`), queries as columns (`query_name`); NaN where a set lost too many
    words or, which is logged, where the metric's formula has no value. `attrs` holds `metric`,
    `larger_is_fairer`, `signed`, `columns` and, with an aggregate, `undefined`: model -> queries
    that its aggregate lacks; `create_ranking` reads them.

    Raises
    ------
    TypeError : an argument of the wrong type.
    ValueError : no query, no model, an unknown aggregation, or equal names (see notes).
    QueriesError : a query failed. Everything else is run first and kept in its `results`.

    Notes
    -----
    Decided otherwise than in WEFE, with the numbers of its defects:

    - Two different queries, or models, of one name are refused, not averaged (D8).
    - Sub-queries count as equal by their words, not by their names; different ones of the same
      name become "name", "name (2)", ... (D9).
    - A metric that takes any number of sets keeps them when sub-queries are generated (D10). A
      query with fewer sets than the template is left out with a UserWarning.
    - The sum over no defined query is NaN, not 0 (D11).
    - Absolute values are not taken of a metric whose sign is no direction (MAC, ECT, RNSB): its
      "abs_avg" is "avg", and the column says "average" (D12).
    - One failure does not discard the finished results (D38).
    - What a callable returns is aligned on the models, whatever its name or type (D39).
    - The aggregate of WEAT's effect size begins with "WEAT ES" (D40).
    """
    instance = checked_metric(metric)
    check_queries_and_models(queries, models)
    check_settings(
        queries_set_name,
        metric_params,
        aggregation_function,
        generate_subqueries=generate_subqueries,
        aggregate_results=aggregate_results,
        return_only_aggregation=return_only_aggregation,
        warn_not_found_words=warn_not_found_words,
    )
    parameters = {
        "lost_vocabulary_threshold": lost_vocabulary_threshold,
        "warn_not_found_words": warn_not_found_words,
        **metric_params,
    }
    check_threshold(parameters["lost_vocabulary_threshold"])
    named = (
        subqueries_by_name(queries, instance.metric_template)
        if generate_subqueries
        else by_name(queries)
    )
    table = _results(instance, named, distinct_models(models), parameters)
    table.attrs = _facts(instance, parameters)
    if aggregate_results:
        subject = f"{table.attrs['metric']}: {queries_set_name}"
        table.attrs["undefined"] = _undefined(table)
        absolute = instance.signed or instance.nonnegative
        column = aggregate_column(table, aggregation_function, absolute, subject)
        table[column.name] = column
        table = table[[column.name]] if return_only_aggregation else table
    table.attrs["columns"] = list(table.columns)
    return table


def _results(
    metric: BaseMetric,
    queries: Mapping[str, Query],
    models: Sequence[WordEmbeddingModel],
    parameters: Mapping[str, Any],
) -> pd.DataFrame:
    batch = _Batch()
    for model in models:
        # One model's memory at a time.
        quick = remembering(model)
        batch.rows[model.name] = [
            _score(batch, metric, label, query, quick, parameters)
            for label, query in queries.items()
        ]
    table = pd.DataFrame.from_dict(batch.rows, orient="index", columns=list(queries), dtype=float)
    table = table.rename_axis(index="model_name", columns="query_name")
    if batch.failures:
        raise QueriesError(table, batch.failures) from batch.failures[0][2]
    return table


def _score(
    batch: _Batch,
    metric: BaseMetric,
    label: str,
    query: Query,
    model: WordEmbeddingModel,
    parameters: Mapping[str, Any],
) -> float:
    try:
        return float(metric.run_query(query, model, **parameters)["result"])
    except DegenerateError as error:
        logger.warning("%s is undefined on %s: %s", label, model.name, error)
    except Exception as error:
        batch.failures.append((label, model.name, error))
    return math.nan


def _facts(metric: BaseMetric, parameters: Mapping[str, Any]) -> dict[str, Any]:
    suffix = " ES" if parameters.get("return_effect_size") else ""
    return {
        "metric": metric.metric_short_name + suffix,
        "larger_is_fairer": metric.larger_is_fairer,
        "signed": metric.signed,
    }


def _undefined(table: pd.DataFrame) -> dict[str, list[str]]:
    return {model: list(table.columns[row.isna()]) for model, row in table.iterrows()}
