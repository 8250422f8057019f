"""WEAT and SEAT on vectors of texts: the formula of static vectors, and the exchange test."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow import WEAT, Query, WordEmbeddingModel
from fairflow.language_models.items.text_data import (
    TEMPLATES,
    bleached_sentences,
)
from fairflow.language_models.slices.answers import EmbeddedTexts

pytest.importorskip("torch")
from fairflow.fairlangproc.metrics.embedding import exchange_test, text_association

pytestmark = pytest.mark.torch
WORDS = tuple("abcdefghij")
SETS = (("a", "b", "c"), ("d", "e"), ("f", "g"), ("h", "i", "j"))


def table(rows, words=WORDS):
    rows = np.asarray(rows, dtype=np.float32)
    ok, none = ("ok",) * len(words), (None,) * len(words)
    return EmbeddedTexts(words, rows, "cls", -1, (1,) * len(words), ok, none)


@pytest.fixture
def embedded():
    return table(np.random.default_rng(3).standard_normal((10, 6)))


@pytest.mark.parametrize(("ddof", "convention"), [(1, "paper"), (0, "wefe")])
def test_static_vectors_as_an_encoder_give_the_numbers_of_static_vectors(
    embedded, ddof, convention
):
    query = Query([list(own) for own in SETS[:2]], [list(own) for own in SETS[2:]])
    static = WEAT().run_query(query, WordEmbeddingModel(embedded, "m"), convention=convention)
    found = text_association(embedded, SETS, ddof=ddof)
    assert found["effect_size"] == static["effect_size"]


def test_texts_count_once_per_set(embedded):
    doubled = (("a", "a", "b", "c", "nowhere"), *SETS[1:])
    found = text_association(embedded, doubled)
    assert found == text_association(embedded, SETS)
    assert found["W1_size"] == 3


def test_a_set_without_vectors_and_a_zero_vector_have_a_reason(embedded, caplog):
    found = text_association(embedded, [("nowhere",), *SETS[1:]])
    assert math.isnan(found["effect_size"])
    assert math.isnan(found["p_value"])
    assert "no text with a vector in nowhere" in caplog.text
    rows = embedded.rows.copy()
    rows[0] = 0
    assert math.isnan(text_association(table(rows), SETS)["effect_size"])
    assert "a vector is zero or not finite" in caplog.text


def test_targets_without_spread_have_no_effect_size(embedded, caplog):
    rows = np.tile(embedded.rows[:1], (10, 1))
    assert math.isnan(text_association(table(rows), SETS)["effect_size"])
    assert "sd is 0" in caplog.text


def plain_p(first, second, tail):
    values = [*first, *second]
    sums = [math.fsum(chosen) for chosen in combinations(values, len(first))]
    own, slack = math.fsum(first), 1e-12 * math.fsum(map(abs, values))
    above = [s > own + slack if tail == "strict" else s >= own - slack for s in sums]
    return sum(above) / len(above)


numbers = st.lists(st.integers(-5, 5).map(lambda n: n / 7), min_size=1, max_size=5)


@given(numbers, numbers, st.sampled_from(["strict", "weak"]))
def test_an_exact_test_counts_every_split(first, second, tail):
    found = exchange_test(np.array(first), np.array(second), tail=tail)
    assert found == pytest.approx(plain_p(first, second, tail), abs=1e-12)


@pytest.mark.parametrize("sizes", [(5, 5), (3, 7), (7, 3)])
def test_a_sampled_test_agrees_with_the_exact_one_and_follows_its_seed(sizes):
    random = np.random.default_rng(1)
    first, second = random.normal(0.4, 1, sizes[0]), random.normal(0, 1, sizes[1])
    exact = exchange_test(first, second)
    drawn = [exchange_test(first, second, 100_000, seed=s, exact_up_to=0) for s in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert drawn[0] == pytest.approx(exact, abs=4 * math.sqrt(0.25 / 100_000))


def test_random_splits_are_drawn_when_there_are_too_many():
    values = np.arange(102.0)
    assert exchange_test(values[51:], values[:51], samples=999) == 1 / 1000


def test_every_split_of_many_words_is_counted():
    values = np.arange(60.0)
    assert 1 / math.comb(60, 30) <= exchange_test(values[30:], values[:30], tail="weak") < 1e-12


def test_options_of_the_test_are_checked():
    with pytest.raises(ValueError, match="tail must be"):
        exchange_test(np.ones(2), np.ones(2), tail="both")
    with pytest.raises(ValueError, match="both sets need words"):
        exchange_test(np.ones(0), np.ones(2))


def test_bleached_sentences_have_articles_and_capitals():
    assert list(bleached_sentences(["apple"], "noun")) == [
        "We saw an apple.",
        "An apple was there.",
        "I think of an apple.",
        "They talked about the apple.",
    ]
    assert list(bleached_sentences(["he"], "name"))[1] == "He came in."
    assert all(len(set(own)) == 4 for own in TEMPLATES.values())
