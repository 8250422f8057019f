"""The functions of WEFE's `utils`, under their documented names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from fairflow.studies.wording import counted
from fairflow.wefe.batch.failures import QueriesError
from fairflow.wefe.batch.labels import generate_subqueries_from_queries_list
from fairflow.wefe.batch.rankings import calculate_ranking_correlations, create_ranking
from fairflow.wefe.batch.run import run_queries
from fairflow.wefe.example_model import load_test_model
from fairflow.wefe.notebook_figure import NotebookFigure

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

__all__ = [
    "QueriesError",
    "calculate_ranking_correlations",
    "check_is_fitted",
    "create_ranking",
    "flair_to_gensim",
    "generate_subqueries_from_queries_list",
    "load_test_model",
    "load_weat_w2v",
    "plot_queries_results",
    "plot_ranking",
    "plot_ranking_correlations",
    "print_doc_table",
    "run_queries",
    "save_doc_image",
]


def plot_queries_results(results: pd.DataFrame, by: str = "query") -> NotebookFigure:
    """Draw every column of a table of `run_queries` as grouped bars; undefined ones are marked.

    Parameters
    ----------
    by : "query" groups by query, a colour per model; "model" the other way round.

    Raises
    ------
    TypeError : not a data frame. ValueError : another `by`.
    """
    from fairflow.wefe import plots

    figure = plots.queries_results(results, by)
    # The aggregate is the last column of `run_queries`.
    aggregate = results.attrs["columns"][-1:] if "undefined" in results.attrs else []
    queries = results.drop(columns=aggregate, errors="ignore")
    also = " with their aggregate" if len(queries.columns) < len(results.columns) else ""
    return NotebookFigure(figure, f"Bars of {_size(queries, 'query', 'queries')}{also}")


def plot_ranking(
    ranking: pd.DataFrame, use_metric_as_facet: bool | str = False, title: str | bool = ""
) -> NotebookFigure:
    """Draw the ranks of `create_ranking`, the smallest total on top.

    A missing rank is marked "n/a"; models that lack one come last, never first.

    Parameters
    ----------
    use_metric_as_facet : a panel per column instead of stacked bars.
    title : stands above the figure. In WEFE 0.2.2 it is the second parameter, before
        `use_metric_as_facet`; a string there is taken as the title.

    Raises
    ------
    TypeError : not a data frame.
    """
    from fairflow.wefe import plots

    if isinstance(use_metric_as_facet, str):
        use_metric_as_facet, title = (title or False), use_metric_as_facet
    figure = plots.ranking(ranking, str(title), bool(use_metric_as_facet))
    return NotebookFigure(figure, f"Bars of {_size(ranking, 'ranking')}")


def plot_ranking_correlations(correlation_matrix: pd.DataFrame, title: str = "") -> NotebookFigure:
    """Draw the matrix of `calculate_ranking_correlations` as a heat map from -1 to 1.

    Raises
    ------
    TypeError : not a data frame. ValueError : its rows are not its columns.
    """
    from fairflow.wefe import plots

    figure = plots.ranking_correlations(correlation_matrix, title)
    return NotebookFigure(figure, f"Correlations of {counted(len(correlation_matrix), 'ranking')}")


def load_weat_w2v() -> KeyedVectors:
    """The vectors of `load_test_model` alone, as WEFE 0.2.2 handed them out."""
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
    rows = [[str(name) for name in df.reset_index().columns]]
    rows += [[_cell(value) for value in row] for row in df.reset_index().itertuples(index=False)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = "  ".join("=" * width for width in widths)
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    print("\n".join([rule, lines[0], rule, *lines[1:], rule]))


def save_doc_image(fig: NotebookFigure, name: str) -> None:
    """Write a figure to doc/images/NAME.png, 1200 x 600 pixels in threefold resolution."""
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


def _size(table: pd.DataFrame, one: str, several: str | None = None) -> str:
    return f"{counted(len(table), 'model')} and {counted(len(table.columns), one, several)}"


def _cell(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
