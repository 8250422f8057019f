"""Defects of debiasing that the table lists, and what fairflow decided to do."""

import logging
import sys

import numpy as np
import pytest
from gensim.models import KeyedVectors

from fairflow.errors import FairflowError
from fairflow.transforms import transform_class
from fairflow.transforms.hard_debias import HardDebias as LibraryHardDebias
from fairflow.wefe import (
    RND,
    DoubleHardDebias,
    HalfSiblingRegression,
    HardDebias,
    MulticlassHardDebias,
    Query,
    RepulsionAttractionNeutralization,
    WordEmbeddingModel,
)
from fairflow.wefe.datasets import fetch_debias_multiclass, fetch_debiaswe, load_weat

from .models import BASE

PAIRS = [["she", "he"], ["woman", "man"], ["girl", "boy"]]
WORDS = [*(word for pair in PAIRS for word in pair), *(f"w{number}" for number in range(30))]


def toy(dtype=np.float32):
    wv = KeyedVectors(5, dtype=dtype)
    rows = np.random.default_rng(1).standard_normal((len(WORDS), 5)) * 2
    wv.add_vectors(WORDS, rows.astype(np.float32).astype(dtype))
    return WordEmbeddingModel(wv, "toy")


def lengths(model):
    return np.linalg.norm(model.wv.vectors, axis=1)


def test_every_vector_has_length_1_after_hard_debias(models):
    model, lists, sets = models.named(BASE), fetch_debiaswe(), load_weat()
    debias = HardDebias().fit(model, lists["definitional_pairs"], lists["equalize_pairs"])
    found = debias.transform(model)
    # With WEFE 154 words have another length, she 1.132.
    assert lengths(found) == pytest.approx(1, abs=1e-6)
    query = Query([sets["male_terms"], sets["female_terms"]], [sets["career"]])
    # -0.0131 with WEFE.
    assert RND().run_query(query, found)["rnd"] == pytest.approx(0.0026, abs=5e-5)


def test_an_empty_list_of_pairs_equalises_none():
    found = HardDebias().fit(toy(), PAIRS, []).transform(toy())
    direction = HardDebias().fit(toy(), PAIRS).bias_direction_
    # Equalised words lie on either side of the direction; neutral ones on none.
    assert found.wv.vectors @ direction == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("kind", [HardDebias, HalfSiblingRegression])
def test_words_to_ignore_get_length_1_where_the_method_is_one_on_unit_vectors(kind):
    lists = PAIRS if kind is HardDebias else ["she", "he"]
    found = kind().fit(toy(), lists).transform(toy(), ignore=["w1"])
    own = np.linalg.norm(toy()["w1"])
    assert np.linalg.norm(found["w1"]) == pytest.approx(1 if kind is HardDebias else own)


def test_no_more_directions_are_removed_than_there_are(models, caplog):
    sets = fetch_debias_multiclass()["ethnicity_definitional_sets"]
    with caplog.at_level(logging.WARNING):
        debias = MulticlassHardDebias().fit(models.named(BASE), sets, [])
    assert debias.pca_num_components_ == 10
    assert debias.bias_subspace_.shape == (8, 300)
    assert "differ in 8 directions: as many are removed, not 10" in caplog.text


def test_half_sibling_regression_keeps_nothing_as_large_as_the_model():
    debias = HalfSiblingRegression().fit(toy(), ["she", "he"])
    kept = [value for value in vars(debias.derivation_).values() if isinstance(value, np.ndarray)]
    assert [array.shape for array in kept] == [(5, 5)]


def test_a_definitional_word_counts_once_and_is_no_target():
    once = HalfSiblingRegression().fit(toy(), ["she", "he"])
    twice = HalfSiblingRegression().fit(toy(), ["she", "he", "she"])
    assert (once.transform(toy()).wv.vectors == twice.transform(toy()).wv.vectors).all()
    with pytest.raises(FairflowError, match="target: this transform does not change he"):
        once.transform(toy(), target=["w1", "he"])


def test_double_hard_debias_gives_the_same_again_and_ignores_nothing_by_none():
    debias = DoubleHardDebias(n_words=5, n_components=3).fit(toy(), PAIRS, ["he", "she"])
    first, again = (debias.transform(toy(), ignore=none).wv.vectors for none in (None, []))
    assert (first == again).all()


def test_double_hard_debias_tells_what_it_took_out():
    debias = DoubleHardDebias(n_words=5, n_components=3).fit(toy(), PAIRS, ["he", "she"])
    debias.transform(toy(), ignore=["she", "he"])
    facts = debias.derivation_.facts
    assert len(facts["accuracies"]) == 3
    assert facts["component"] == int(np.argmin(facts["accuracies"]))


def ran(dtype=np.float32):
    debias = RepulsionAttractionNeutralization(n_neighbours=10).fit(toy(dtype), PAIRS)
    return debias.transform(toy(dtype), target=["w1", "w2", "w3"]).wv.vectors


def test_ran_gives_the_same_in_either_number_type():
    assert ran(np.float64) == pytest.approx(ran(), abs=1e-6)


def test_ran_needs_neither_steps_nor_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    debias = RepulsionAttractionNeutralization(epochs=1).fit(toy(), PAIRS)
    debias.transform(toy(), target=["w1"])
    facts = debias.derivation_.facts
    assert facts["objective_after"] < facts["objective_before"]


def test_a_word_in_two_pairs_to_equalise_is_refused():
    with pytest.raises(FairflowError, match=r"'he' is in two pairs, \(she, he\) and \(he, w1"):
        HardDebias().fit(toy(), PAIRS, [["she", "he"], ["he", "w1"]])


def test_a_method_that_is_not_there_is_refused():
    with pytest.raises(FairflowError, match="soft_debias"):
        transform_class("soft_debias")
    with pytest.raises(ValueError, match="unknown recipe 'soft'"):
        LibraryHardDebias(PAIRS, [], [], recipe="soft")
