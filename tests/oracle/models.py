"""The models that the cases of the oracle name, made of the test model's vectors."""

import hashlib
from functools import cache

import numpy as np
from gensim.models import KeyedVectors

from fairflow.wefe import WordEmbeddingModel

from .reference import ORACLE

BASE = "w2v-weat-13k"


class Models:
    """Models by the oracle's name and by number type.

    Parameters
    ----------
    vectors : the 13,013-word model, whose words and vectors are verified.
    """

    def __init__(self, vectors: KeyedVectors) -> None:
        self._words = list(vectors.index_to_key)
        self._matrix = np.asarray(vectors.vectors)
        facts = ORACLE["models"][BASE]
        for content, sum_ in (
            (self._matrix.astype("<f4").tobytes(), "vectors_c_order_float32_little_endian"),
            ("\n".join(self._words).encode(), "words_joined_by_newline_utf8"),
        ):
            assert hashlib.sha256(content).hexdigest() == facts[f"sha256_of_{sum_}"]
        self.named = cache(self._named)
        self.normalised = cache(self._normalised)

    def _named(self, name: str, dtype: str = "float32") -> WordEmbeddingModel:
        words, matrix, prefix = self._words, self._matrix, None
        if name == "toy-3d":
            toy = ORACLE["models"][name]["vectors"]
            words, matrix = list(toy), np.array(list(toy.values()))
        elif name.endswith("/lowercase-vocab"):
            rows = [row for row, word in enumerate(words) if word == word.lower()]
            words, matrix = [words[row] for row in rows], matrix[rows]
        elif name.endswith("/prefix-c-en"):
            prefix = "/c/en/"
            words = [prefix + word for word in words]
        elif "/dims-" in name:
            first, last = map(int, name.split("-")[-2:])
            matrix = matrix[:, first : last + 1]
        else:
            assert name == BASE
        return WordEmbeddingModel(_keyed(words, matrix.astype(dtype)), name, prefix)

    def _normalised(self, name: str) -> WordEmbeddingModel:
        """The model with its vectors divided by their lengths in float32, as WEFE does it."""
        assert name == BASE
        rows = np.array([row / np.linalg.norm(row) for row in self._matrix], dtype=np.float32)
        return WordEmbeddingModel(_keyed(self._words, rows), name)


def _keyed(words: list[str], matrix: np.ndarray) -> KeyedVectors:
    vectors = KeyedVectors(matrix.shape[1], dtype=matrix.dtype)
    vectors.add_vectors(words, matrix)
    return vectors
