"""The vocabulary of a query is read out of a model, and goes into its slice."""

import numpy as np
import pytest
from one_cell import read_slice, write_slice

from fairflow import Query
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import QueryInputs, Vocabulary
from fairflow.vectors.derivation import Derivation, DerivedStore
from fairflow.vectors.first_words import first_words, is_plain
from fairflow.vectors.vocabulary import with_vocabulary
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_rows import word_rows

VECTORS = {"he": [2.0, 0], "she": [0, 1.0], "Boss": [3.0, 0], "nurse": [3.0, 4.0], "zero": [0, 0]}
PAIRS = (("he", "she"),)


class Turned(Derivation):
    """A derivation that exchanges the two numbers of each vector."""

    def apply(self, words, vectors):
        return vectors[:, ::-1]


def model_of(rows=None):
    words = list(VECTORS)
    own = word_rows((words, np.array(list(VECTORS.values()), dtype=np.float32)))
    return WordEmbeddingModel(rows or own)


def with_vectors_of(vocabulary, model=None, pairs=PAIRS):
    model = model or model_of()
    query = Query([["nurse"]], [], declared=QueryInputs(pairs=pairs, vocabulary=vocabulary))
    return with_vocabulary(model.look_up(query, Lookup()), model)


@pytest.mark.parametrize(
    ("vocabulary", "words"),
    [
        (Vocabulary(), ("he", "she", "Boss", "nurse")),
        (Vocabulary(first=3), ("he", "she", "Boss")),
        (Vocabulary(limited=True), ("he", "she", "nurse")),
        (Vocabulary(first=4, limited=True, without=("he",)), ("she", "nurse")),
        (Vocabulary(without=("Boss",)), ("he", "she", "nurse")),
    ],
)
def test_the_words_are_the_first_ones_that_have_a_direction(vocabulary, words):
    found = with_vectors_of(vocabulary).vocabulary
    assert found.words == words
    assert np.linalg.norm(found.directions, axis=1) == pytest.approx(1)


def test_words_lean_by_the_difference_of_cosines_with_the_first_pair():
    found = with_vectors_of(Vocabulary()).vocabulary
    assert dict(zip(found.words, found.leaning, strict=True)) == pytest.approx(
        {"he": 1, "she": -1, "Boss": 1, "nurse": 0.6 - 0.8}
    )


def test_words_of_a_derived_model_lean_as_before():
    base = model_of().wv
    derived = with_vectors_of(Vocabulary(), model_of(DerivedStore(base, Turned()))).vocabulary
    before = with_vectors_of(Vocabulary()).vocabulary
    assert derived.leaning == pytest.approx(before.leaning)
    assert derived.directions == pytest.approx(before.directions[:, ::-1])


def test_without_pairs_nothing_is_known_of_leaning():
    found = with_vectors_of(Vocabulary(), pairs=()).vocabulary
    assert found.leaning is None
    assert found.note == "no pair is declared"


def test_a_slice_keeps_pairs_and_vocabulary(tmp_path):
    vectors = with_vectors_of(Vocabulary(first=4))
    read = read_slice(write_slice(vectors, tmp_path / "slice.parquet"))
    assert read.declared == vectors.declared
    assert read.pairs == vectors.pairs
    assert read.vocabulary.words == vectors.vocabulary.words
    assert read.vocabulary.leaning.tolist() == vectors.vocabulary.leaning.tolist()
    assert read.pair_vectors.words == (("he", "she"),)
    assert read.pair_vectors.vectors.tolist() == [[[1, 0], [0, 1]]]


def test_parts_of_a_query_keep_the_vectors_of_its_pairs():
    vectors = with_vectors_of(Vocabulary())
    part = vectors.subquery(vectors.query)
    assert part.pair_vectors.words == (("he", "she"),)


MODEL = {"the": [3.0, 4.0], "zero": [0.0, 0.0], "cat": [0.0, 2.0], "dog": [1.0, 0.0]}


@pytest.mark.parametrize("word", ["cat", "hot_dog", "été", "nineteen_characters", "_"])
def test_a_word_in_lower_case_is_plain_and_so_is_a_phrase(word):
    assert is_plain(word)


@pytest.mark.parametrize("word", ["Cat", "it's", "b2b", "e-mail", "twenty_characters_ab", "½a2"])
def test_capitals_digits_punctuation_and_long_words_are_not(word):
    assert not is_plain(word)


def test_the_first_words_have_directions_and_one_without_is_left_out():
    first = first_words(word_rows(MODEL), 3)
    assert first.words == ("the", "cat")
    assert first.directions == pytest.approx(np.array([[0.6, 0.8], [0, 1]]))
    assert first.directions.dtype == np.float32


def test_the_same_words_of_another_model_are_those_that_it_has():
    first = first_words(word_rows(MODEL), 10)
    other = first.among(word_rows({"dog": [0.0, 5.0], "the": [0.0, 0.0], "cow": [1.0, 1.0]}))
    assert other.words == ("dog",)
    assert other.directions.tolist() == [[0, 1]]
