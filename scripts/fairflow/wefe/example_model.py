"""The 13,013-word word2vec subset on which WEFE's examples run, as gensim vectors."""

from __future__ import annotations

from pathlib import Path

from fairflow.vectors.example_vectors import example_folder, open_example
from fairflow.wefe.word_embedding_model import WordEmbeddingModel

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
