"""The cases whose answer is a table: run_queries, rankings and their correlations."""

import warnings
from collections.abc import Iterator
from typing import Any

import pandas as pd

from fairflow.wefe import metrics
from fairflow.wefe.utils import calculate_ranking_correlations, create_ranking, run_queries

from .comparison import FLOAT32, FLOAT64, SAME_SOLVER, Comparison, attempt
from .models import Models
from .reference import parameters, query


def run_queries_table(case: dict[str, Any], models: Models) -> Iterator[Comparison]:
    """The table of run_queries."""
    own = dict(case["params"])
    own["metric_params"] = parameters(own["metric_params"])
    metric = getattr(metrics, case["metric"])
    queries = [query(entry) for entry in case["queries"]]
    named = [models.named(name) for name in case["models"]]
    with warnings.catch_warnings():
        # An undefined score is NaN in both; fairflow says so as well.
        warnings.filterwarnings("ignore", "undefined:", UserWarning)
        found = attempt(lambda: _table(run_queries(metric, queries, named, **own)))
    expected = _last_named(case["expected"])
    yield expected, _last_named(found), SAME_SOLVER if case["metric"] == "RNSB" else FLOAT32


def _last_named(table: dict[str, Any]) -> dict[str, Any]:
    """The table with the name of its last column, the aggregate, apart."""
    if "error" in table:
        return table
    *columns, last = table["columns"]
    return table | {"columns": columns, "last_column": last}


def ranking(case: dict[str, Any], _: Models) -> Iterator[Comparison]:
    """The ranks of create_ranking."""
    tables = [pd.DataFrame(**table) for table in case["tables"]]
    yield case["expected"], attempt(lambda: _table(create_ranking(tables, **case["params"]))), 0


def correlations(case: dict[str, Any], _: Models) -> Iterator[Comparison]:
    """The matrix of calculate_ranking_correlations."""
    ranks = pd.DataFrame(**case["table"])
    found = _table(calculate_ranking_correlations(ranks, **case["params"]))
    yield case["expected"], found, FLOAT64


def _table(frame: pd.DataFrame) -> dict[str, Any]:
    return {
        "index": list(frame.index),
        "columns": list(frame.columns),
        "data": frame.to_numpy(dtype=float).tolist(),
    }
