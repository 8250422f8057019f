"""`wefe.word_embedding_model`: vectors under a name, with the members of WEFE 1.0.1 and 0.2.2."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairflow.queries.query import Query
from fairflow.vectors import word_embedding_model
from fairflow.wefe.former_names import accepts_former_names, joined_preprocessors, warn_deprecated
from fairflow.wefe.preprocessing import (
    EmbeddingDict,
    EmbeddingSets,
    get_embeddings_from_query,
    get_embeddings_from_set,
)

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

    from fairflow.vectors.store import VectorStore

PreprocessorArgs = dict[str, bool | str | Callable[[str], str] | None]

_AS_WRITTEN: PreprocessorArgs = {}

__all__ = ["EmbeddingDict", "EmbeddingSets", "PreprocessorArgs", "WordEmbeddingModel"]


class WordEmbeddingModel(word_embedding_model.WordEmbeddingModel):
    """Word vectors with a name and the prefix that their vocabulary needs.

    Parameters
    ----------
    wv : gensim KeyedVectors, or a `VectorStore`. `model` in 0.2.2.
    name : shown in tables. `model_name` in 0.2.2.
    vocab_prefix : put in front of each word of a query after its preprocessing ("/c/en/").

    Raises
    ------
    TypeError : `wv` holds no vectors, or name or prefix is not a string.
    """

    @accepts_former_names("WordEmbeddingModel")
    def __init__(
        self,
        wv: KeyedVectors | VectorStore,
        name: str | None = None,
        vocab_prefix: str | None = None,
    ) -> None:
        super().__init__(wv, name, vocab_prefix)

    @property
    def vocab(self) -> Mapping[str, int]:
        """Word -> row; gensim's own dictionary for gensim vectors."""
        index = getattr(self.wv, "key_to_index", None)
        if index is None:
            return {word: row for row, word in enumerate(self.wv.words())}
        return index

    @property
    def model(self) -> Any:
        """Former name of `wv`."""
        warn_deprecated("WordEmbeddingModel.model", "wv")
        return self.wv

    @property
    def model_name(self) -> str:
        """Former name of `name`."""
        warn_deprecated("WordEmbeddingModel.model_name", "name")
        return self.name

    def get_embeddings_from_word_set(
        self,
        word_set: Sequence[str],
        preprocessor_args: PreprocessorArgs | None = _AS_WRITTEN,
        secondary_preprocessor_args: PreprocessorArgs | None = None,
    ) -> tuple[list[str], EmbeddingDict]:
        """Former name of `fairflow.wefe.preprocessing.get_embeddings_from_set`."""
        present = "fairflow.wefe.preprocessing.get_embeddings_from_set"
        warn_deprecated("get_embeddings_from_word_set", present)
        preprocessors = joined_preprocessors(preprocessor_args, secondary_preprocessor_args)
        return get_embeddings_from_set(self, word_set, preprocessors)

    def get_embeddings_from_query(
        self,
        query: Query,
        lost_vocabulary_threshold: float = 0.2,
        preprocessor_args: PreprocessorArgs | None = _AS_WRITTEN,
        secondary_preprocessor_args: PreprocessorArgs | None = None,
        warn_not_found_words: bool = False,
    ) -> tuple[EmbeddingSets, EmbeddingSets] | None:
        """Former place of `fairflow.wefe.preprocessing.get_embeddings_from_query`."""
        present = "fairflow.wefe.preprocessing.get_embeddings_from_query"
        warn_deprecated("WordEmbeddingModel.get_embeddings_from_query", present)
        return get_embeddings_from_query(
            self,
            query,
            lost_vocabulary_threshold,
            joined_preprocessors(preprocessor_args, secondary_preprocessor_args),
            warn_not_found_words=warn_not_found_words,
        )

    def __repr__(self) -> str:
        named = repr(self.name) if self.name == "Unnamed model" else f"named {self.name!r}"
        prefix = f" and {self.vocab_prefix!r} as word prefix" if self.vocab_prefix else ""
        dims = getattr(self.wv, "vector_size", getattr(self.wv, "dims", "some"))
        words = f"{len(self)} word embeddings of {dims} dims"
        return f"<WordEmbeddingModel {named} with {words}{prefix}>"
