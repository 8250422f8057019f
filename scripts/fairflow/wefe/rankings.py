"""Ranking models by the last columns of results tables, and correlating the rankings."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from fairflow.errors import ConfigurationError, nearest
from fairflow.metrics import metric_class
from fairflow.studies.comparability import unfairness

TIE_METHODS = ("average", "min", "max", "first", "dense")
CORRELATIONS = ("spearman", "kendall", "pearson")


def create_ranking(
    results_dataframes: Sequence[pd.DataFrame],
    method: str = "average",
    ascending: bool | None = None,
) -> pd.DataFrame:
    """Rank the models by the last column of each table; 1 is the fairest.

    Parameters
    ----------
    results_dataframes : results of `run_queries`; models may differ between tables.
    method : what equal scores get: "average", "min", "max", "first" (by row) or "dense".
    ascending : True ranks small values first, False large ones, as they stand. By default the
        metric decides: of MAC and ECT large values come first, of a signed metric small absolute
        values. It is known from the table's `attrs` or the short name that begins the column;
        otherwise small values come first, with a UserWarning.

    Returns
    -------
    A column per table, models in order of first appearance; a model without score has no rank
    (NaN). Equal column names get " (k)" with the position k of their table.

    Raises
    ------
    TypeError : not a list of data frames; `ascending` is neither None nor a bool.
    ValueError : no table, or a model twice in a table. KeyError : unknown method.
    IndexError : a table without columns.

    Notes
    -----
    Decided otherwise than in WEFE, with the numbers of its defects: the direction follows the
    metric, and equal scores share a rank; `method="first", ascending=True` is WEFE's default
    (D12). A UserWarning names models whose aggregate lacks queries that others' have (D11).
    """
    _check_tables(results_dataframes)
    if method not in TIE_METHODS:
        raise KeyError(f"unknown method {method!r}. {nearest(method, TIE_METHODS)}")
    if ascending is not None and not isinstance(ascending, bool):
        raise TypeError(f"ascending must be None, True or False, got {ascending!r}")
    models = list(dict.fromkeys(model for table in results_dataframes for model in table.index))
    ranks = []
    for table in results_dataframes:
        _warn_of_missing_queries(table)
        scores = table.iloc[:, -1].reindex(models)
        if ascending is None:
            scores = unfairness(scores, _direction(table))
        ranks.append(scores.rank(method=method, ascending=ascending is not False))
    ranking = pd.concat(ranks, axis="columns")
    ranking.columns = _distinct([table.columns[-1] for table in results_dataframes])
    return ranking.rename_axis(index=results_dataframes[0].index.name)


def calculate_ranking_correlations(
    rankings: pd.DataFrame, method: str | Callable[..., float] = "spearman"
) -> pd.DataFrame:
    """Correlation of every two rankings, over the models that both rank.

    Parameters
    ----------
    rankings : from `create_ranking`.
    method : "spearman", "kendall", "pearson", or a callable of two arrays.

    Returns
    -------
    Rankings as rows and columns; NaN when one of the two is constant. `attrs["method"]` names the
    method.

    Raises
    ------
    TypeError : not a data frame. ValueError : unknown method.
    """
    if not isinstance(rankings, pd.DataFrame):
        raise TypeError(f"rankings must be a DataFrame, got {type(rankings)}")
    if not callable(method) and method not in CORRELATIONS:
        raise ValueError(f"unknown method {method!r}. {nearest(method, CORRELATIONS)}")
    correlations = rankings.corr(method=method)
    correlations.attrs = {"method": method if isinstance(method, str) else method.__name__}
    return correlations


def _check_tables(tables: Any) -> None:
    if not isinstance(tables, (list, tuple)):
        raise TypeError(f"results_dataframes must be a list, got {type(tables)}")
    if not tables:
        raise ValueError("results_dataframes is empty")
    for position, table in enumerate(tables):
        where = f"results_dataframes[{position}]"
        if not isinstance(table, pd.DataFrame):
            raise TypeError(f"{where} must be a DataFrame, got {type(table)}")
        if not len(table.columns):
            raise IndexError(f"{where} has no columns")
        repeated = sorted(set(table.index[table.index.duplicated()]))
        if repeated:
            raise ValueError(f"{where} has several rows for the models {repeated}")


def _direction(table: pd.DataFrame) -> dict[str, bool]:
    """What makes a score of the last column fairer than another."""
    column = table.columns[-1]
    if _attrs_hold(table):
        return {key: table.attrs[key] for key in ("signed", "larger_is_fairer")}
    short = str(column).partition(":")[0].removesuffix(" ES")
    # Never a dotted name: the text of a column must not choose a module to import.
    if ":" in str(column) and short.isidentifier():
        try:
            metric = metric_class(short.lower())
        except ConfigurationError:
            pass
        else:
            return {"signed": metric.signed, "larger_is_fairer": metric.larger_is_fairer}
    warnings.warn(
        f"{column!r} does not tell its metric: smaller values are taken as fairer; "
        "say ascending=True or False",
        UserWarning,
        stacklevel=3,
    )
    return {"signed": False, "larger_is_fairer": False}


def _attrs_hold(table: pd.DataFrame) -> bool:
    # Pandas keeps attrs when columns of another table are added.
    return table.columns[-1] in table.attrs.get("columns", ())


def _warn_of_missing_queries(table: pd.DataFrame) -> None:
    if not _attrs_hold(table) or "undefined" not in table.attrs:
        return
    scored = set(table.index[table.iloc[:, -1].notna()])
    missing = {m: set(q) for m, q in table.attrs["undefined"].items() if m in scored}
    shared = set.intersection(*missing.values()) if missing else set()
    fewer = [
        f"{model!r} lacks {', '.join(map(repr, sorted(queries - shared)))}"
        for model, queries in missing.items()
        if queries - shared
    ]
    if fewer:
        warnings.warn(
            f"{table.columns[-1]!r} compares aggregates over different queries: "
            + "; ".join(fewer),
            UserWarning,
            stacklevel=3,
        )


def _distinct(names: list[Any]) -> list[Any]:
    return [
        f"{name} ({position})" if names.count(name) > 1 else name
        for position, name in enumerate(names, start=1)
    ]
