"""Vectors in memory can be changed, all at once or not at all; those on disk cannot."""

import numpy as np
import pytest
from gensim.models import KeyedVectors
from stores import store_of

from fairflow import WordEmbeddingModel
from fairflow.errors import FairflowError

ROWS = {"he": [3, 4], "she": [0, 2], "math": [-1, 0]}


def model_with(rows, dtype=np.float32):
    """A model of gensim vectors."""
    wv = KeyedVectors(2, dtype=dtype)
    wv.add_vectors(list(rows), np.array(list(rows.values()), dtype=dtype))
    return WordEmbeddingModel(wv, "toy")


@pytest.fixture
def model():
    """The vectors of ROWS in memory."""
    return model_with(ROWS)


@pytest.fixture
def model_on_disk(tmp_path):
    """The vectors of ROWS in a store."""
    with store_of(ROWS.items(), tmp_path) as store:
        yield WordEmbeddingModel(store, "toy")


def vector(*numbers, dtype=np.float32):
    return np.array(numbers, dtype=dtype)


def rows_of(model):
    return {word: model[word].tolist() for word in model.wv.index_to_key}


def test_models_of_the_same_vectors_name_and_prefix_are_equal_and_have_one_hash(model):
    twin = WordEmbeddingModel(model.wv, "toy")
    assert model == twin
    assert {model, twin} == {model}


def test_several_words_give_the_rows_of_a_matrix(model, model_on_disk):
    for each in (model, model_on_disk):
        assert each.vectors(["math", "he"]).tolist() == [[-1, 0], [3, 4]]
        assert each.vectors([]).shape == (0, 2)


def test_normalize_divides_each_row_by_its_length_in_place(model):
    matrix = model.wv.vectors
    model.normalize()
    assert model.wv.vectors is matrix
    assert matrix.dtype == np.float32
    expected = vector(0.6, 0.8).tolist()
    assert rows_of(model) == {"he": expected, "she": [0, 1], "math": [-1, 0]}


def test_normalize_is_exact_for_numbers_whose_squares_no_float32_holds():
    rows = {"huge": [3 * 2.0**100, 4 * 2.0**100], "tiny": [3 * 2.0**-100, 4 * 2.0**-100]}
    model = model_with(rows)
    model.normalize()
    assert rows_of(model) == dict.fromkeys(("huge", "tiny"), vector(0.6, 0.8).tolist())


def test_gensim_sees_the_lengths_of_normalised_and_of_updated_vectors(model):
    model.wv.fill_norms()
    model.normalize()
    assert model.wv.get_vector("she", norm=True).tolist() == [0, 1]
    model.update("she", vector(0, 8))
    assert model.wv.get_vector("she", norm=True).tolist() == [0, 1]


@pytest.mark.parametrize("bad", [[0, 0], [np.nan, 1], [np.inf, 1]])
def test_normalize_refuses_rows_without_direction_by_name_and_changes_nothing(bad):
    model = model_with({**ROWS, "broken": bad})
    before = model.wv.vectors.copy()
    with pytest.raises(FairflowError, match=r"^1 zero or non-finite .*: broken$"):
        model.normalize()
    assert model.wv.vectors.tobytes() == before.tobytes()


@pytest.mark.parametrize(
    "change",
    [
        lambda model: model.normalize(),
        lambda model: model.update("he", vector(1, 2)),
        lambda model: model.batch_update(["he"], [vector(1, 2)]),
    ],
)
def test_vectors_on_disk_are_not_changed(model_on_disk, change):
    with pytest.raises(TypeError, match=r"Derive a model from it \(derive in config/models\.yaml"):
        change(model_on_disk)
    assert model_on_disk["he"].tolist() == [3, 4]


def test_vectors_mapped_for_reading_alone_are_not_changed(model):
    model.wv.vectors.flags.writeable = False
    with pytest.raises(ValueError, match="'toy' are read-only"):
        model.normalize()
    with pytest.raises(ValueError, match="'toy' are read-only"):
        model.update("he", vector(1, 2))


def test_update_replaces_the_vector_of_one_word(model):
    model.update("she", vector(7, -7))
    assert rows_of(model) == {**ROWS, "she": [7, -7]}


@pytest.mark.parametrize("vectors", [[vector(1, 1), vector(5, 5)], np.float32([[1, 1], [5, 5]])])
def test_a_batch_is_a_list_of_vectors_or_a_matrix(model, vectors):
    model.batch_update(["math", "he"], vectors)
    assert rows_of(model) == {"he": [5, 5], "she": [0, 2], "math": [1, 1]}


def test_vectors_can_be_exchanged_although_gensim_gives_views(model):
    model.batch_update(["he", "she"], [model.wv["she"], model.wv["he"]])
    assert rows_of(model) == {"he": [0, 2], "she": [3, 4], "math": [-1, 0]}


@pytest.mark.parametrize(
    ("words", "vectors", "message"),
    [
        (["she", "he"], [vector(1, 2)], r"of 2 words are \(2, 2\), got \(1, 2\)"),
        (["she"], [vector(1, 2, 3)], r"of 1 words are \(1, 2\), got \(1, 3\)"),
        (["she", "them"], [vector(1, 2)] * 2, "the model has no row of them"),
        (["she", 1], [vector(1, 2)] * 2, "the model has no row of 1"),
    ],
)
def test_a_batch_with_one_mistake_is_refused_and_changes_nothing(model, words, vectors, message):
    with pytest.raises(ValueError, match=message):
        model.batch_update(words, vectors)
    assert rows_of(model) == ROWS
