"""The model of fairflow.wefe: gensim's vectors with the members of WEFE 1.0.1 and 0.2.2."""

import os
import pickle

import numpy as np
import pytest
from gensim.models import KeyedVectors
from stores import store_of

from fairflow.vectors import example_vectors
from fairflow.wefe.utils import load_test_model
from fairflow.wefe.word_embedding_model import WordEmbeddingModel

UNNAMED = "<WordEmbeddingModel 'Unnamed model' with 2 word embeddings of 2 dims"


@pytest.fixture
def wv():
    vectors = KeyedVectors(2)
    vectors.add_vectors(["he", "she"], np.float32([[3, 4], [0, 2]]))
    return vectors


def test_the_vocabulary_and_the_methods_are_gensims(wv):
    model = WordEmbeddingModel(wv, "toy", "/en/")
    assert model.wv is wv
    assert model.vocab is wv.key_to_index
    assert model.wv.similarity("he", "she") == pytest.approx(0.8)
    assert (model.name, model.vocab_prefix) == ("toy", "/en/")


def test_the_vocabulary_of_a_converted_model_is_made_of_its_words(tmp_path):
    with store_of([("b", (1, 2)), ("a", (3, 4))], tmp_path) as store:
        model = WordEmbeddingModel(store)
        assert model.vocab == {"b": 0, "a": 1}
        assert repr(model) == f"{UNNAMED}>"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((), f"{UNNAMED}>"),
        ((None, "/en/"), f"{UNNAMED} and '/en/' as word prefix>"),
        (("toy",), "<WordEmbeddingModel named 'toy' with 2 word embeddings of 2 dims>"),
    ],
)
def test_a_model_prints_its_name_and_its_size(wv, arguments, text):
    assert repr(WordEmbeddingModel(wv, *arguments)) == text


def test_models_are_equal_by_vectors_name_and_prefix(wv):
    model = WordEmbeddingModel(wv, "toy", "/en/")
    assert model == WordEmbeddingModel(wv, "toy", "/en/")
    assert model != WordEmbeddingModel(wv, "other", "/en/")
    assert model != WordEmbeddingModel(wv, "toy")
    assert model != "toy"


def test_vectors_are_read_by_word(wv):
    model = WordEmbeddingModel(wv)
    assert model["he"].tolist() == [3, 4]
    assert model.get("she").tolist() == [0, 2]
    assert model.get("they") is None
    assert model.get("they", default=0) == 0
    assert "he" in model
    assert 0 not in model
    with pytest.raises(KeyError, match="they"):
        model["they"]


def test_vectors_are_changed_in_place(wv):
    model = WordEmbeddingModel(wv)
    model.normalize()
    assert wv["he"].tolist() == np.float32([0.6, 0.8]).tolist()
    model.update("he", embedding=np.float32([1, 0]))
    model.batch_update(words=["she"], embeddings=np.float32([[0, 1]]))
    assert wv.vectors.tolist() == [[1, 0], [0, 1]]


def test_a_model_can_be_pickled_and_takes_attributes_of_the_user(wv):
    model = WordEmbeddingModel(wv, "toy", "x_")
    model.model = wv
    again = pickle.loads(pickle.dumps(model))
    assert (again.name, again.vocab_prefix) == ("toy", "x_")
    assert again["he"].tolist() == [3, 4]


def test_the_example_model_of_wefe_gives_what_gensim_gives(tmp_path, monkeypatch):
    if not (file := os.environ.get("FAIRFLOW_TEST_MODEL")):
        pytest.skip("needs the file in FAIRFLOW_TEST_MODEL")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    pinned = {"sources": [{"file": file}], "checksum": example_vectors.entry()["member_checksum"]}
    monkeypatch.setattr(example_vectors, "entry", lambda: pinned)
    model = load_test_model()
    expected = KeyedVectors.load(file)
    with model.wv as store:
        assert len(store) == len(expected)
        np.testing.assert_array_equal(store.vectors(expected.index_to_key), expected.vectors)
