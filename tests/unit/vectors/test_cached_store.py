"""A store that remembers serves many queries as the store itself does, and reads each word once."""

import numpy as np
import pytest

from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.vectors.convert import convert
from fairflow.vectors.store import CachedStore, VectorStore
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_frequency import OWN_ORDER, WordFrequency

QUERIES = (
    Query([["a", "b"], ["c", "Missing"]], [["d"], ["e"]]),
    Query([["a", "c"], ["b"]], [["f"], ["d", "missing"]]),
)
NAMES = ("vectors", "index", "card")


@pytest.fixture
def store(tmp_path):
    """A model of 300 words, and `read`, the words whose vectors were read from it."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = [*letters, *(first + second for first in letters[:11] for second in letters)][:300]
    rows = (f"{word} {number + 1} {-number} 0.5\n" for number, word in enumerate(words))
    (tmp_path / "source").write_text("".join(rows))
    files = [tmp_path / name for name in NAMES]
    convert(tmp_path / "source", "glove-text", *files)
    with VectorStore(*files) as opened:
        original, opened.read = opened.vectors, []

        def counted(asked):
            opened.read += asked
            return original(asked)

        opened.vectors = counted
        yield opened


def looked_up(store):
    model = WordEmbeddingModel(store)
    how = {"random_words": 20, "seed": 1, "frequency": WordFrequency(OWN_ORDER)}
    lookup = Lookup([{}, {"lowercase": True}])
    return [model.look_up(query, lookup, **how) for query in QUERIES]


def test_queries_find_the_same_words_vectors_and_random_words(store):
    for expected, found in zip(looked_up(store), looked_up(CachedStore(store)), strict=True):
        assert (found.forms, found.accounts) == (expected.forms, expected.accounts)
        np.testing.assert_array_equal(found.vectors, expected.vectors)
        assert found.random.words == expected.random.words
        np.testing.assert_array_equal(found.random.vectors, expected.random.vectors)


def test_the_vector_of_a_word_is_read_once(store):
    looked_up(CachedStore(store))
    assert len(store.read) == len(set(store.read)) > 6


def test_no_word_is_no_row(store):
    assert CachedStore(store).vectors([]).shape == (0, 3)


def test_a_word_that_the_model_lacks_is_no_vector(store):
    cached = CachedStore(store)
    assert "Missing" not in cached
    with pytest.raises(KeyError):
        cached.vectors(["a", "Missing"])
