"""Two models are the same vectors if the words that both have point the same way."""

import numpy as np
import pytest

from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.vectors.query_vectors import LEAST_WORDS, look_up_query, same_directions

WORDS = [f"word{number}" for number in range(2 * LEAST_WORDS)]
VECTORS = np.random.default_rng(0).normal(size=(len(WORDS), 5)).astype(np.float32)


def slices(words=WORDS, vectors=VECTORS):
    """The only query of a model that has those words."""
    half = len(WORDS) // 2
    rows = dict(zip(words, vectors, strict=True))

    def read(forms):
        return np.array([rows[form] for form in forms]).reshape(len(forms), vectors.shape[1])

    query = Query([WORDS[:half]], [WORDS[half:]], ["T"], ["A"])
    return {"query": look_up_query(query, rows.__contains__, read, Lookup())}


@pytest.mark.parametrize(
    "other",
    [
        slices(),
        slices(WORDS[:-5], VECTORS[:-5]),
        slices(vectors=VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)),
        slices(vectors=VECTORS.astype(np.float16).astype(np.float32)),
    ],
    ids=["whole", "in part", "at another length", "in half precision"],
)
def test_the_same_vectors_are_known(other):
    assert same_directions(slices(), other)
    assert same_directions(other, slices())


def test_other_vectors_of_the_same_words_are_not_the_same():
    one_word_turned = VECTORS.copy()
    one_word_turned[3] = -VECTORS[3]
    for vectors in (one_word_turned, VECTORS[:, ::-1], VECTORS[:, :4]):
        assert not same_directions(slices(), slices(vectors=vectors))
