"""Metrics that override `run_query`, on the vectors of a query instead of a whole model."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from numbers import Real
from typing import Any

from fairflow.statistics.outcome import Outcome
from fairflow.vectors.found_vectors import FoundVectors
from fairflow.vectors.query_vectors import QueryVectors
from fairflow.vectors.word_embedding_model import WordEmbeddingModel


def outcome_of_run_query(
    run_query: Callable[..., dict[str, Any]], vectors: QueryVectors, parameters: dict[str, Any]
) -> Outcome:
    """Call a metric's own `run_query`, bound to it, on the vectors of a query.

    Every number of the returned dictionary is a measure, `result` among them.
    """
    store = FoundVectors(dict(zip(vectors.forms, vectors.vectors, strict=True)))
    arguments = _policy(run_query, vectors) | parameters
    answer = run_query(vectors.query, WordEmbeddingModel(store), **arguments)
    measures = {
        key: float(value)
        for key, value in answer.items()
        if isinstance(value, Real) and not isinstance(value, bool)
    }
    result = measures.get("result", math.nan)
    return Outcome(
        result=result,
        measures={"result": result, **measures},
        details={key: value for key, value in answer.items() if key not in measures},
        reasons={k: "the metric returned NaN" for k, v in measures.items() if math.isnan(v)},
    )


def _policy(run_query: Callable[..., Any], vectors: QueryVectors) -> dict[str, Any]:
    """The look-up policy under those names that `run_query` takes."""
    lookup = vectors.lookup
    policy = {
        "lost_vocabulary_threshold": lookup.lost_vocabulary_threshold,
        "preprocessors": list(lookup.preprocessors),
        "strategy": lookup.strategy,
    }
    taken = inspect.signature(run_query).parameters
    return {name: value for name, value in policy.items() if name in taken}
