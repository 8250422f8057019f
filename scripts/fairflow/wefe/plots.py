"""The plots of WEFE's `utils` as figures of plotly, which is no requirement of fairflow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from fairflow.errors import FairflowError

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def plot_queries_results(results: pd.DataFrame, by: str = "query") -> Figure:
    """Draw every column of a table of `run_queries` as grouped bars.

    Parameters
    ----------
    by : "query" groups by query, a colour per model; "model" the other way round.

    Raises
    ------
    TypeError : not a data frame. ValueError : another `by`.
    FairflowError : plotly is not installed.
    """
    _check_frame(results, "results")
    if by not in ("query", "model"):
        raise ValueError(f"by must be 'query' or 'model', got {by!r}")
    go = _plotly()
    table = results.T if by == "query" else results  # groups x series
    groups = [str(name).replace("wrt", "wrt<br>") for name in table.index]
    bars = [go.Bar(name=str(name), x=groups, y=table[name]) for name in table.columns]
    figure = go.Figure(bars)
    return figure.update_layout(
        barmode="group", xaxis_title=by.capitalize(), yaxis_title="Bias measure"
    )


def plot_ranking(
    ranking: pd.DataFrame, use_metric_as_facet: bool = False, title: str = ""
) -> Figure:
    """Draw the ranks of `create_ranking`, the smallest total on top.

    A missing rank is marked "n/a"; models that lack one come last, never first.

    Parameters
    ----------
    use_metric_as_facet : a panel per column instead of stacked bars.
    title : stands above the figure.

    Raises
    ------
    TypeError : not a data frame. FairflowError : plotly is not installed.
    """
    _check_frame(ranking, "ranking")
    go = _plotly()
    total = ranking.sum(axis="columns", skipna=False)
    # Plotly draws the first category at the bottom.
    ordered = ranking.loc[total.sort_values(kind="stable", na_position="last").index[::-1]]
    models, columns = list(map(str, ordered.index)), list(ordered.columns)
    if use_metric_as_facet:
        from plotly.subplots import make_subplots

        names = list(map(str, columns))
        figure = make_subplots(1, max(1, len(names)), shared_yaxes=True, subplot_titles=names)
    else:
        figure = go.Figure(layout={"barmode": "stack"})
    for panel, column in enumerate(columns, start=1):
        bar = go.Bar(name=str(column), x=ordered[column], y=models, orientation="h")
        place = {"row": 1, "col": panel} if use_metric_as_facet else {}
        figure.add_trace(bar, **place)
        for model, rank, known in zip(models, ordered[column], ordered.sum(axis=1), strict=True):
            if pd.isna(rank):
                x = 0 if use_metric_as_facet else known
                figure.add_annotation(
                    x=x, y=model, text="n/a", showarrow=False, xanchor="left", **place
                )
    figure.update_layout(title=title, showlegend=not use_metric_as_facet)
    figure.update_xaxes(title_text="Ranking")
    return figure.update_yaxes(tickfont={"size": 10})


def plot_ranking_correlations(correlation_matrix: pd.DataFrame, title: str = "") -> Figure:
    """Draw the matrix of `calculate_ranking_correlations` as a heat map from -1 to 1.

    Raises
    ------
    TypeError : not a data frame. ValueError : its rows are not its columns.
    FairflowError : plotly is not installed.
    """
    _check_frame(correlation_matrix, "correlation_matrix")
    if list(correlation_matrix.index) != list(correlation_matrix.columns):
        raise ValueError("correlation_matrix must have the same rankings as rows and as columns")
    names = list(map(str, correlation_matrix.columns))
    go = _plotly()
    heat_map = go.Heatmap(
        z=correlation_matrix.to_numpy(float),
        x=names,
        y=names,
        hoverongaps=False,
        zmin=-1,
        zmax=1,
        colorscale="RdBu",
    )
    return go.Figure(heat_map).update_layout(title=title, font={"color": "#000000"})


def _plotly() -> Any:
    try:
        import plotly.graph_objects as go
    except ModuleNotFoundError as error:
        raise FairflowError(
            "the plots of fairflow.wefe are figures of plotly, which is not installed: "
            "pip install plotly. The workflow draws its own figures without it"
        ) from error
    return go


def _check_frame(frame: Any, argument: str) -> None:
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"{argument} must be a DataFrame, got {type(frame)}")
