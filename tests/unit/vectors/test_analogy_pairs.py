"""The search for analogies finds what looking at every pair finds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow.metrics import analogies as searched
from fairflow.metrics.analogies import analogy_pairs


def unit_rows(seed, n=60, dims=5):
    rows = np.random.default_rng(seed).standard_normal((n, dims))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def naive(rows, direction, count, longest):
    """Every pair in the order of its score, the first that takes a word on a side keeps it."""
    every = []
    for x, left in enumerate(rows.astype(float)):
        for y, right in enumerate(rows.astype(float)):
            length = np.linalg.norm(left - right)
            if 0 < length < longest and (left - right) @ direction > 0:
                every.append(((left - right) @ direction / length, x, y))
    taken, firsts, seconds = [], set(), set()
    for _, x, y in sorted(every, key=lambda pair: -pair[0]):
        if x not in firsts and y not in seconds:
            taken.append([x, y])
            firsts.add(x)
            seconds.add(y)
    return taken[:count]


@given(st.integers(0, 1000), st.sampled_from([1, 5, 1000]), st.sampled_from([0.5, 1.0, 1.5]))
def test_pairs_are_those_of_a_search_through_all(seed, count, longest):
    rows = unit_rows(seed)
    direction = unit_rows(seed + 1, 1)[0].astype(float)
    direction /= np.linalg.norm(direction)
    found = analogy_pairs(rows, direction, count, longest)
    assert found.rows.tolist() == naive(rows, direction, count, longest)


@pytest.mark.parametrize("block", [7, 64])
def test_blocks_change_nothing(block, monkeypatch):
    rows, direction = unit_rows(3, 300, 4), np.array([1.0, 0, 0, 0])
    whole = analogy_pairs(rows, direction, 40)
    monkeypatch.setattr(searched, "BLOCK", block)
    parts = analogy_pairs(rows, direction, 40)
    assert parts.rows.tolist() == whole.rows.tolist() == naive(rows, direction, 40, 1.0)
    assert (np.diff(parts.scores) <= 0).all()


def test_words_with_one_vector_are_no_pair():
    rows = np.array([[1, 0], [1, 0]], dtype=np.float32)
    assert len(analogy_pairs(rows, np.array([1.0, 0]), 5).scores) == 0
