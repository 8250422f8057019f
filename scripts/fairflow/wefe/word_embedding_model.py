"""`wefe.word_embedding_model`: vectors under a name, with the members of WEFE 1.0.1."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from fairflow.vectors import word_embedding_model
from fairflow.wefe import preprocessing
from fairflow.wefe.former_names import present_name, takes_former_names
from fairflow.wefe.preprocessing import EmbeddingDict as EmbeddingDict
from fairflow.wefe.preprocessing import EmbeddingSets as EmbeddingSets

# This library needs gensim 4.
GENSIM_V4_OR_GREATER = True


class WordEmbeddingModel(word_embedding_model.WordEmbeddingModel):
    """Word vectors with a name and the prefix that their vocabulary needs.

    Parameters
    ----------
    wv : gensim KeyedVectors, or a `VectorStore`.
    name : shown in tables.
    vocab_prefix : put in front of each word of a query after its preprocessing ("/c/en/").

    Raises
    ------
    TypeError : `wv` holds no vectors, or name or prefix is not a string.
    """

    @takes_former_names("WordEmbeddingModel")
    def __init__(self, wv: Any, name: str | None = None, vocab_prefix: str | None = None) -> None:
        super().__init__(wv, name, vocab_prefix)

    def __getattr__(self, name: str) -> Any:
        """What WEFE 0.2 has under another name."""
        new = present_name("WordEmbeddingModel", name)
        if new is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        module, _, function = new.rpartition(".")
        return partial(getattr(preprocessing, function), self) if module else getattr(self, new)

    @property
    def vocab(self) -> Mapping[str, int]:
        """Word -> row; gensim's own dictionary for gensim vectors."""
        index = getattr(self.wv, "key_to_index", None)
        if index is None:
            return {word: row for row, word in enumerate(self.wv.words())}
        return index

    def __repr__(self) -> str:
        named = repr(self.name) if self.name == "Unnamed model" else f"named {self.name!r}"
        prefix = f" and {self.vocab_prefix!r} as word prefix" if self.vocab_prefix else ""
        dims = getattr(self.wv, "vector_size", getattr(self.wv, "dims", "some"))
        words = f"{len(self)} word embeddings of {dims} dims"
        return f"<WordEmbeddingModel {named} with {words}{prefix}>"


def as_model(model: Any) -> Any:
    """The model; gensim's vectors, and a pair of these and a name as in WEFE 0.2, become one."""
    if hasattr(model, "key_to_index"):
        return WordEmbeddingModel(model)
    if isinstance(model, tuple) and present_name("models", "(vectors, name)"):
        return WordEmbeddingModel(*model)
    return model


def __getattr__(name: str) -> Any:
    new = present_name("module word_embedding_model", name)
    if new is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(preprocessing, new.removeprefix("preprocessing."))
