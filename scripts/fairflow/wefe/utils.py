"""The functions of WEFE's `utils`, under their documented names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from fairflow.wefe.batch.failures import QueriesError
from fairflow.wefe.batch.rankings import calculate_ranking_correlations, create_ranking
from fairflow.wefe.batch.run import run_queries
from fairflow.wefe.example_model import load_test_model

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "QueriesError",
    "calculate_ranking_correlations",
    "create_ranking",
    "load_test_model",
    "plot_queries_results",
    "plot_ranking",
    "plot_ranking_correlations",
    "run_queries",
]


def plot_queries_results(results: pd.DataFrame, by: str = "query") -> Figure:
    """Draw every column of a table of `run_queries` as grouped bars; undefined ones are marked.

    Parameters
    ----------
    by : "query" groups by query, a colour per model; "model" the other way round.

    Raises
    ------
    TypeError : not a data frame. ValueError : another `by`.
    """
    from fairflow.wefe import plots as wefe_plots

    return wefe_plots.queries_results(results, by)


def plot_ranking(
    ranking: pd.DataFrame, title: str = "", use_metric_as_facet: bool = False
) -> Figure:
    """Draw the ranks of `create_ranking`, the smallest total on top.

    A missing rank is marked "n/a"; models that lack one come last, never first.

    Parameters
    ----------
    use_metric_as_facet : a panel per column instead of stacked bars.

    Raises
    ------
    TypeError : not a data frame.
    """
    from fairflow.wefe import plots as wefe_plots

    return wefe_plots.ranking(ranking, title, use_metric_as_facet)


def plot_ranking_correlations(correlation_matrix: pd.DataFrame, title: str = "") -> Figure:
    """Draw the matrix of `calculate_ranking_correlations` as a heat map from -1 to 1.

    Raises
    ------
    TypeError : not a data frame. ValueError : its rows are not its columns.
    """
    from fairflow.wefe import plots as wefe_plots

    return wefe_plots.ranking_correlations(correlation_matrix, title)
