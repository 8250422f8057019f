"""WEAT and SEAT on vectors of texts: the formula of static vectors, and the exchange test."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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


numbers = st.lists(st.integers(-5, 5).map(lambda n: n / 7), min_size=1, max_size=5)


@given(numbers, numbers)
def test_an_exact_test_counts_every_split(first, second):
    values = [*first, *second]
    sums = [math.fsum(chosen) for chosen in combinations(values, len(first))]
    slack = 1e-12 * math.fsum(map(abs, values))
    plain = sum(one > math.fsum(first) + slack for one in sums) / len(sums)
    found = exchange_test(np.array(first), np.array(second))
    assert found == pytest.approx(plain, abs=1e-12)


def test_random_splits_are_drawn_when_there_are_too_many():
    values = np.arange(102.0)
    assert exchange_test(values[51:], values[:51], samples=999) == 1 / 1000


def test_bleached_sentences_have_articles_and_capitals():
    assert list(bleached_sentences(["apple"], "noun")) == [
        "We saw an apple.",
        "An apple was there.",
        "I think of an apple.",
        "They talked about the apple.",
    ]
    assert list(bleached_sentences(["he"], "name"))[1] == "He came in."
    assert all(len(set(own)) == 4 for own in TEMPLATES.values())
