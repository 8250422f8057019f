"""Rows come out the same to the last bit whatever the other rows are."""

import numpy as np
import pytest

from fairflow.vectors.directions import ROWS, product, unit_rests, unit_rows

RANDOM = np.random.default_rng(0)
VECTORS = RANDOM.normal(size=(2 * ROWS + 3, 30))


@pytest.mark.parametrize("columns", [1, 7, 30])
def test_a_product_is_that_of_each_row(columns):
    matrix = RANDOM.normal(size=(30, columns))
    together = product(VECTORS, matrix)
    np.testing.assert_allclose(together, VECTORS @ matrix, atol=1e-12)
    for rows in ([0], [ROWS], list(range(5, 2 * ROWS))):
        assert product(VECTORS[rows], matrix).tobytes() == together[rows].tobytes()


def test_a_unit_row_has_its_direction_and_a_zero_row_stays_one():
    assert unit_rows(np.array([[3.0, 4], [0, 0]])).tolist() == [[0.6, 0.8], [0, 0]]


@pytest.mark.parametrize("unit", [True, False])
def test_what_is_left_but_rounding_noise_is_a_zero_row(unit):
    before = np.array([[0.6, 0.8], [1, 0], [0, 0]])
    rests = np.array([[3e-7, 4e-7], [0, 2e-6], [0, 0]])
    assert unit_rests(rests, before, unit).tolist() == [[0, 0], [0, 1], [0, 0]]
