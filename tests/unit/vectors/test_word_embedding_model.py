"""A model serves the same vectors from memory (gensim) and from disk (a converted model)."""

from functools import partial

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors
from stores import store_of

from fairflow import Query, WordEmbeddingModel
from fairflow.queries.lookup import Lookup

ROWS = {
    "he": [1, 2],
    "He": [3, 4],
    "she": [5, 6],
    "math": [0.1, -7],
    "/en/he": [8, 9],
    "/en/art": [10, 0],
}


def in_memory(_):
    vectors = KeyedVectors(2)
    vectors.add_vectors(list(ROWS), np.array(list(ROWS.values()), dtype=np.float32))
    return vectors


on_disk = partial(store_of, ROWS.items())


@pytest.fixture(params=[in_memory, on_disk])
def wv(request, tmp_path):
    """The vectors of ROWS, from gensim and from a store."""
    return request.param(tmp_path)


def test_a_word_gives_its_vector(wv):
    vector = WordEmbeddingModel(wv)["math"]
    assert vector.dtype == np.float32
    assert vector.tolist() == np.array([0.1, -7], dtype=np.float32).tolist()


def test_membership_and_length_are_those_of_the_vocabulary(wv):
    model = WordEmbeddingModel(wv, vocab_prefix="/en/")
    assert len(model) == 6
    assert "he" in model
    # The prefix belongs to look-ups of queries alone.
    assert "art" not in model
    assert 1 not in model


def test_an_unknown_word_is_a_key_error(wv):
    with pytest.raises(KeyError, match="them"):
        WordEmbeddingModel(wv)["them"]


def test_a_dictionary_of_words_and_vectors_is_a_model():
    model = WordEmbeddingModel({"he": [1, 2], "she": [3, 4]})
    assert len(model) == 2
    assert model["she"].dtype == np.float32
    assert model["she"].tolist() == [3, 4]


@pytest.mark.parametrize("wv", [None, [[1, 2]], np.eye(2), {}])
def test_something_without_vectors_is_refused(wv):
    with pytest.raises(TypeError, match="must be gensim KeyedVectors, a VectorStore or a dict"):
        WordEmbeddingModel(wv)


def test_a_look_up_gives_the_vectors_of_the_words_found(wv):
    query = Query([["he", "them"], ["she", "he"]], [["math"]], ["Men", "Women"], ["Math"])
    found = WordEmbeddingModel(wv).look_up(query, Lookup(lost_vocabulary_threshold=0.5))
    targets, attributes = found.word_vectors()
    assert [(t.name, t.words, t.vectors.tolist()) for t in targets] == [
        ("Men", ("he",), [[1, 2]]),
        ("Women", ("she", "he"), [[5, 6], [1, 2]]),
    ]
    assert attributes[0].vectors.tolist() == [[float(np.float32(0.1)), -7]]
    assert found.targets[0].lost == ["them"]
    assert found.rejected is None


def test_the_prefix_is_put_in_front_of_a_querys_words(wv):
    model = WordEmbeddingModel(wv, vocab_prefix="/en/")
    query = Query([["HE"]], [["Art"]])
    targets, attributes = model.look_up(query, Lookup([{"lowercase": True}])).word_vectors()
    assert targets[0].vectors.tolist() == [[8, 9]]
    assert attributes[0].words == ("/en/art",)


@pytest.mark.parametrize("prefix", [None, "/en/"])
@pytest.mark.parametrize("strategy", ["first", "all"])
@pytest.mark.parametrize("words", [["he", "HE", "math"], ["nobody"]])
def test_memory_and_disk_give_identical_look_ups(tmp_path, prefix, strategy, words):
    query = Query([words, ["she"]], [["math", "ART"]])
    lookup = Lookup(({}, {"titlecase": True}, {"lowercase": True}), strategy)
    first, second = (
        WordEmbeddingModel(wv(tmp_path), vocab_prefix=prefix).look_up(query, lookup)
        for wv in (in_memory, on_disk)
    )
    assert (first.targets, first.attributes) == (second.targets, second.attributes)
    assert first.forms == second.forms
    assert first.vectors.shape == (len(first.forms), 2)
    assert first.vectors.tobytes() == second.vectors.tobytes()


def test_vectors_that_fasttext_makes_for_unknown_words_are_served():
    # gensim says that such a word is in the vocabulary although no row belongs to it.
    vectors = FastText(vector_size=2, min_count=1, seed=1)
    vectors.build_vocab([["woman", "man"]])
    query = Query([["woman", "womann"]], [["man"]])
    found = WordEmbeddingModel(vectors.wv).look_up(query, Lookup())
    assert found.targets[0].lost == []
    assert found.vectors[1].tolist() == vectors.wv["womann"].tolist()


def test_a_whole_model_is_refused_with_what_to_hand_over():
    with pytest.raises(TypeError, match=r"a whole model: hand over its \.wv"):
        WordEmbeddingModel(FastText(vector_size=2))
