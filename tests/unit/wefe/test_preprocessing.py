"""Vectors of sets, tuples and queries: what is found is given, what is lost is named once."""

import numpy as np
import pytest

from fairflow.errors import FairflowError
from fairflow.wefe import Query
from fairflow.wefe.preprocessing import (
    get_embeddings_from_query,
    get_embeddings_from_set,
    get_embeddings_from_tuples,
)

CASES = [{}, {"lowercase": True}]


@pytest.fixture(scope="module")
def model(model_of):
    return model_of(
        man=[3, 4], MAN=[1, 0], woman=[0, 2], car=[5, 12], he=[1, 1], zero=[0, 0], nan=[np.nan, 1]
    )


def as_lists(embeddings):
    return {form: vector.tolist() for form, vector in embeddings.items()}


def test_a_set_gives_lost_words_and_vectors_in_order(model):
    lost, found = get_embeddings_from_set(model, ["woman", "zz", "man"])
    assert lost == ["zz"]
    assert list(as_lists(found).items()) == [("woman", [0, 2]), ("man", [3, 4])]
    assert found["man"].dtype == np.float32


def test_a_word_found_by_its_second_form_is_not_listed_as_lost(model):
    # D20: WEFE lists Zebra, zebra and cAr.
    lost, found = get_embeddings_from_set(model, ["woman", "Zebra", "cAr", "Zebra"], CASES)
    assert lost == ["Zebra"]
    assert list(found) == ["woman", "car"]


def test_normalised_vectors_have_unit_length_and_the_type_of_the_model(model):
    _, found = get_embeddings_from_set(model, ["man", "woman"], normalize=True)
    assert as_lists(found) == {"man": np.float32([0.6, 0.8]).tolist(), "woman": [0, 1]}
    assert found["man"].dtype == np.float32
    assert model["man"].tolist() == [3, 4]


@pytest.mark.parametrize("word", ["zero", "nan"])
def test_a_vector_without_direction_is_given_as_it_is_but_not_normalised(model, word):
    _, found = get_embeddings_from_set(model, ["man", word])
    np.testing.assert_array_equal(found[word], model[word])
    with pytest.raises(FairflowError, match=f"have no direction: {word}$"):
        get_embeddings_from_set(model, ["man", word], normalize=True)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"model": ["man", [1, 2]]}, TypeError, "model must be a WordEmbeddingModel"),
        ({"word_set": "man"}, TypeError, "a word set must be a list, tuple or array"),
        ({"word_set": {"man"}}, TypeError, "a word set must be a list, tuple or array"),
        ({"word_set": ["man", 1]}, TypeError, "a word must be a string, got 1"),
        ({"verbose": None}, TypeError, "verbose must be True or False, got None"),
        ({"normalize": 1}, TypeError, "normalize must be True or False, got 1"),
    ],
)
def test_arguments_of_another_kind_are_refused(model, arguments, error, message):
    with pytest.raises(error, match=message):
        get_embeddings_from_set(**{"model": model, "word_set": ["man"], **arguments})


def test_each_tuple_gives_a_dictionary(model):
    pairs = get_embeddings_from_tuples(model, [["woman", "man"], ("he", "car")])
    assert [as_lists(pair) for pair in pairs] == [
        {"woman": [0, 2], "man": [3, 4]},
        {"he": [1, 1], "car": [5, 12]},
    ]


@pytest.mark.parametrize("warn", [True, False])
def test_an_incomplete_tuple_is_dropped_whether_or_not_it_is_reported(model, caplog, warn):
    # D19: WEFE keeps it without the warning.
    sets = [["woman", "man"], ["woman", "zz"]]
    found = get_embeddings_from_tuples(model, sets, "pairs", warn_lost_sets=warn)
    assert [list(pair) for pair in found] == [["woman", "man"]]
    assert caplog.messages == ["pairs: ['woman', 'zz']: not found: zz"] * warn


def test_a_pair_found_by_its_second_preprocessor_is_kept(model):
    (pair,) = get_embeddings_from_tuples(model, [["WOMAn", "MAn"]], preprocessors=CASES)
    assert list(pair) == ["woman", "man"]


@pytest.mark.parametrize("discard", [True, False])
def test_tuples_of_which_nothing_is_left_are_an_error(model, discard):
    with pytest.raises(ValueError, match=r"pairs: none of 2 sets is left; .*\['x', 'y', 'z'\]"):
        get_embeddings_from_tuples(
            model, [["z", "x"], ["y", "z"]], "pairs", discard_incomplete_sets=discard
        )


QUERY = Query([["man", "he"], ["woman"]], [["car", "man"]], ["Men", "Women"], ["Things"])


def test_a_query_gives_its_targets_and_attributes_by_name(model):
    targets, attributes = get_embeddings_from_query(model, QUERY)
    assert {name: as_lists(found) for name, found in targets.items()} == {
        "Men": {"man": [3, 4], "he": [1, 1]},
        "Women": {"woman": [0, 2]},
    }
    assert as_lists(attributes["Things"]) == {"car": [5, 12], "man": [3, 4]}


def test_the_vectors_of_a_query_can_be_normalised(model):
    targets, attributes = get_embeddings_from_query(model, QUERY, normalize=True)
    assert targets["Women"]["woman"].tolist() == [0, 1]
    assert attributes["Things"]["man"].tolist() == np.float32([0.6, 0.8]).tolist()
    with pytest.raises(FairflowError, match=r"no direction: zero$"):
        get_embeddings_from_query(model, Query([["man", "zero"]], []), normalize=True)


@pytest.mark.parametrize(
    ("threshold", "defined"), [(0.3, True), (np.float64(0.3), True), (1, True), (0.29, False)]
)
def test_a_set_may_lose_the_share_of_the_threshold_but_not_more(model, caplog, threshold, defined):
    words = ["man", "woman", "car", "he", "zero", "nan", "MAN", "x", "y", "z"]
    query = Query([words], [], ["Words"])
    found = get_embeddings_from_query(model, query, threshold)
    assert (found is not None) == defined
    if not defined:
        assert "Words lost 3 of 10 words (x, y, z)" in caplog.text


def test_lost_words_of_a_query_are_reported_on_request(model, caplog):
    query = Query([["man", "zz"]], [["he"]], ["Men"], ["Things"])
    get_embeddings_from_query(model, query, 0.5)
    assert caplog.messages == []
    get_embeddings_from_query(model, query, 0.5, warn_not_found_words=True)
    assert caplog.messages == ["Men: not found: zz"]


def test_repeated_words_of_a_query_are_not_lost(model):
    # D17: WEFE counts one of three as lost and gives nothing.
    targets, _ = get_embeddings_from_query(model, Query([["man", "man", "he"]], []))
    assert list(targets["Target set 0"]) == ["man", "he"]
