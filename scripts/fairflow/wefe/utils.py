"""The functions of WEFE's `utils`, under their documented names: rankings, plots and small helps.

The plots are figures of plotly, which is no requirement of fairflow.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from fairflow.errors import ConfigurationError, FairflowError
from fairflow.metrics import metric_class
from fairflow.studies import batch
from fairflow.studies.batch import QueriesError, generate_subqueries_from_queries_list
from fairflow.studies.comparability import unfairness
from fairflow.vectors.example_vectors import example_folder, open_example
from fairflow.wefe.former_names import present_arguments, present_name, takes_former_names
from fairflow.wefe.metrics.base_metric import BaseMetric
from fairflow.wefe.query import Query
from fairflow.wefe.word_embedding_model import WordEmbeddingModel, as_model

if TYPE_CHECKING:
    from gensim.models import KeyedVectors
    from plotly.graph_objects import Figure

__all__ = [
    "BaseMetric",
    "QueriesError",
    "Query",
    "WordEmbeddingModel",
    "calculate_ranking_correlations",
    "check_is_fitted",
    "create_ranking",
    "flair_to_gensim",
    "generate_subqueries_from_queries_list",
    "load_test_model",
    "plot_queries_results",
    "plot_ranking",
    "plot_ranking_correlations",
    "print_doc_table",
    "run_queries",
    "save_doc_image",
]

# WEFE's name of the model.
MODEL_NAME = "test_w2v"


def load_test_model(path: str | Path | None = None) -> WordEmbeddingModel:
    """The vectors of word2vec-google-news-300 for the words of Caliskan et al. and some lexicons.

    They are read into gensim's KeyedVectors, whose own methods thus work on `wv`.

    Parameters
    ----------
    path : as for `fairflow.vectors.example_vectors.example_folder`, which says where they lie and
        when they are fetched.

    Raises
    ------
    FileNotFoundError : `path` lacks one of the files.
    DownloadError : the vectors are nowhere and cannot be fetched.
    """
    from gensim.models import KeyedVectors

    with open_example(example_folder(path)) as store:
        words = list(store.words())
        vectors = KeyedVectors(store.dims)
        vectors.add_vectors(words, store.vectors(words))
    return WordEmbeddingModel(vectors, MODEL_NAME)


@takes_former_names()
@wraps(batch.run_queries)
def run_queries(
    metric: type[BaseMetric] | BaseMetric,
    queries: Sequence[Query],
    models: Sequence[Any],
    *positional: Any,
    **keywords: Any,
) -> pd.DataFrame:
    """As `fairflow.run_queries`; models and arguments may be given as WEFE 0.2 has them.

    See also
    --------
    fairflow.run_queries : its arguments, and what it decides otherwise than WEFE.
    """
    models = [as_model(model) for model in models] if isinstance(models, list) else models
    given = signature(batch.run_queries).bind(metric, queries, models, *positional, **keywords)
    has_own = getattr(metric, "has_own_run_query", None)
    if has_own and not has_own() and isinstance(given.arguments.get("metric_params"), dict):
        given.arguments["metric_params"] = present_arguments(given.arguments["metric_params"])
    return batch.run_queries(*given.args, **given.kwargs)


def load_weat_w2v() -> KeyedVectors:
    """WEFE 0.2's vectors of the words of Caliskan et al.: those of `load_test_model`."""
    present_name("functions", "load_weat_w2v()")
    return load_test_model().wv


def check_is_fitted(estimator: Any, attributes: Any) -> None:
    """Refuse an estimator that lacks what its `fit` sets.

    Parameters
    ----------
    attributes : a name, or several, of attributes that end in "_".

    Raises
    ------
    sklearn.exceptions.NotFittedError : one of them is missing.
    """
    from sklearn.utils.validation import check_is_fitted as check

    message = "This %(name)s is not fitted yet: call its fit before this method"
    check(estimator, attributes, msg=message)


def print_doc_table(df: pd.DataFrame) -> None:
    """Print a table in reStructuredText, its index as the first column."""
    table = df.reset_index()
    rows = [[str(name) for name in table.columns]]
    rows += table.map(lambda x: f"{x:g}" if isinstance(x, float) else str(x)).to_numpy().tolist()
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = "  ".join("=" * width for width in widths)
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    print("\n".join([rule, lines[0], rule, *lines[1:], rule]))


def save_doc_image(fig: Figure, name: str) -> None:
    """Write a figure to doc/images/NAME.png, 1200 x 600 pixels in threefold resolution.

    Plotly needs the package kaleido for it.
    """
    folder = Path("doc/images")
    folder.mkdir(parents=True, exist_ok=True)
    fig.write_image(folder / f"{name}.png", width=1200, height=600, scale=3)


def flair_to_gensim(flair_embedding: Any) -> KeyedVectors:
    """The vectors of `flair.embeddings.WordEmbeddings`, whose last row stands for other words.

    Raises
    ------
    TypeError : another object; it says what is expected.
    """
    from gensim.models import KeyedVectors

    try:
        words = list(flair_embedding.vocab)
        weights = flair_embedding.embedding.weight.detach().numpy()
        size = flair_embedding.embedding_length
    except AttributeError as error:
        raise TypeError(
            "flair_embedding must be WordEmbeddings of the package flair (pip install flair; "
            f"flair.embeddings.WordEmbeddings('glove')), got {type(flair_embedding)}: {error}"
        ) from error
    vectors = KeyedVectors(vector_size=size)
    vectors.add_vectors(words, weights[:-1])
    return vectors


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
    _check_frame(rankings, "rankings")
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
        _check_frame(table, where)
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
        with suppress(ConfigurationError):
            metric = metric_class(short.lower())
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
