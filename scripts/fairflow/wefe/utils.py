"""The functions of WEFE's `utils`, under their documented names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from fairflow.vectors.example_vectors import example_folder, open_example
from fairflow.wefe.batch import QueriesError, generate_subqueries_from_queries_list, run_queries
from fairflow.wefe.metrics.base_metric import BaseMetric
from fairflow.wefe.plots import plot_queries_results, plot_ranking, plot_ranking_correlations
from fairflow.wefe.query import Query
from fairflow.wefe.rankings import calculate_ranking_correlations, create_ranking
from fairflow.wefe.word_embedding_model import WordEmbeddingModel

if TYPE_CHECKING:
    from gensim.models import KeyedVectors
    from plotly.graph_objects import Figure


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


def _cell(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
