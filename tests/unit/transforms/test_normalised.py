"""Vectors of unit length have the direction that they had."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fairflow.transforms.normalised import Normalised

finite = st.floats(-1e6, 1e6, width=32).filter(lambda x: x == 0 or abs(x) > 1e-6)


def normalised(*rows):
    return Normalised().fit(None).apply(["w"] * len(rows), np.array(rows, dtype=np.float32))


def test_each_vector_is_divided_by_its_length():
    vectors = normalised([3, 4], [0, -2], [1, 0])
    assert vectors.dtype == np.float32
    assert vectors.tolist() == np.float32([[0.6, 0.8], [0, -1], [1, 0]]).tolist()


def test_a_zero_vector_stays_one():
    assert normalised([0, 0], [0, 5]).tolist() == [[0, 0], [0, 1]]


@given(arrays(np.float32, (3, 2), elements=finite))
def test_directions_are_kept(matrix):
    matrix[:, 0] += matrix[:, 0] == 0
    unit = normalised(*matrix).astype(float)
    assert np.allclose((unit**2).sum(axis=1), 1, atol=1e-6)
    cross = unit[:, 0] * matrix[:, 1] - unit[:, 1] * matrix[:, 0]
    assert np.allclose(cross / np.abs(matrix).max(axis=1), 0, atol=1e-6)
