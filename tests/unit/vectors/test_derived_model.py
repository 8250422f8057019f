"""A derivation is applied to a model at hand, of whatever kind it is, which stays as it is."""

import numpy as np
import pytest
from gensim.models import KeyedVectors

from fairflow.errors import FairflowError
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.word_embedding_model import WordEmbeddingModel, word_rows

WORDS = ["he", "she", "nurse"]
ROWS = np.array([[3, 4], [1, 2], [5, 6]], dtype=np.float32)
SECOND = [[0, 4], [0, 2], [0, 6]]
DERIVATION = Derivation(remove=[[1, 0]])


class Store:
    """Rows on disk, in blocks of two."""

    dims = 2

    def __contains__(self, word):
        return word in WORDS

    def __len__(self):
        return len(WORDS)

    def vectors(self, words):
        return ROWS[[WORDS.index(word) for word in words]]

    def rows_in_blocks(self):
        yield WORDS[:2], [0, 1], ROWS[:2]
        yield WORDS[2:], [2], ROWS[2:]


def keyed(words=WORDS, dtype=np.float32):
    vectors = KeyedVectors(2, dtype=dtype)
    vectors.add_vectors(words, ROWS.astype(dtype))
    return vectors


def test_a_mapping_gives_a_mapping_in_the_same_order():
    found = DERIVATION.transform(dict(zip(WORDS, ROWS.tolist(), strict=True)))
    assert {word: row.tolist() for word, row in found.items()} == dict(
        zip(WORDS, SECOND, strict=True)
    )
    assert list(found) == WORDS


def test_a_store_gives_rows_that_are_derived_when_asked_for():
    rows = DERIVATION.transform(Store())
    assert rows.vectors(["nurse", "he"]).tolist() == [SECOND[2], SECOND[0]]
    assert ("he" in rows, "her" in rows, len(rows), rows.dims) == (True, False, 3, 2)
    assert np.concatenate(list(rows.blocks())).tolist() == SECOND
    assert [words for words, _, _ in rows.rows_in_blocks()] == [WORDS[:2], WORDS[2:]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_keyed_vectors_give_keyed_vectors_of_their_type_of_numbers(dtype):
    given = keyed(dtype=dtype)
    found = DERIVATION.transform(given)
    assert (found.vectors.dtype, found.index_to_key) == (dtype, WORDS)
    assert found.vectors.tolist() == SECOND
    assert given.vectors.tolist() == ROWS.tolist()


def test_keyed_vectors_keep_what_gensim_knows_of_words():
    wv = keyed()
    for number, word in enumerate(WORDS):
        wv.set_vecattr(word, "count", 10 - number)
    found = Derivation(unit_first=True).transform(wv)
    assert [found.get_vecattr(word, "count") for word in WORDS] == [
        10 - number for number in range(len(WORDS))
    ]
    found.set_vecattr(WORDS[0], "count", 0)
    assert wv.get_vecattr(WORDS[0], "count") == 10


def test_a_model_gives_a_model_with_a_name_of_its_own():
    model = WordEmbeddingModel(keyed(), "toy")
    found = DERIVATION.transform(model)
    assert (found.name, found["she"].tolist()) == ("toy_debiased", [0, 2])
    assert DERIVATION.transform(model, name="other").name == "other"
    assert (model.name, model["she"].tolist()) == ("toy", [1, 2])
    of_store = DERIVATION.transform(WordEmbeddingModel(Store(), "disk"))
    assert of_store["she"].tolist() == [0, 2]


def test_words_of_a_model_with_a_prefix_are_named_without_it():
    model = WordEmbeddingModel(keyed([f"/c/en/{word}" for word in WORDS]), "toy", "/c/en/")
    rows = word_rows(model)
    assert ("he" in rows, "/c/en/he" in rows, len(rows)) == (True, False, 3)
    assert rows.vectors(["he"]).tolist() == [[3, 4]]
    assert [words for words, _, _ in rows.rows_in_blocks()] == [WORDS]
    found = DERIVATION.transform(model, ignore=["he"])
    assert found.vectors(["/c/en/he", "/c/en/she"]).tolist() == [[3, 4], [0, 2]]
    assert found.vocab_prefix == "/c/en/"


def test_vectors_of_gensim_are_changed_in_place_where_asked_for():
    model = WordEmbeddingModel(keyed(), "toy")
    model.wv.most_similar("he")
    assert DERIVATION.transform(model, in_place=True) is model
    assert (model.name, model.wv.vectors.tolist()) == ("toy_debiased", SECOND)
    assert model.wv.norms is None
    with pytest.raises(TypeError, match="in_place: only vectors of gensim are overwritten"):
        DERIVATION.transform(Store(), in_place=True)


def test_some_words_may_be_chosen():
    assert DERIVATION.transform((WORDS, ROWS), target=["she", "her"]).tolist() == [
        [3, 4],
        [0, 2],
        [5, 6],
    ]
    assert DERIVATION.transform((WORDS, ROWS), ignore=["she"])[1].tolist() == [1, 2]
    untouched = Derivation(remove=[[1, 0]], untouched={"he"})
    assert untouched.restricted(ignore=["she"]).untouched == {"he", "she"}
    with pytest.raises(FairflowError, match="target: this transform does not change he"):
        untouched.transform((WORDS, ROWS), target=["he"])
