"""How much a score depends on single words."""

import math

import numpy as np

from fairflow.statistics.uncertainty import sensitivity

NAMES = [["a", "b"], ["c", "d", "e"]]


def left_out(*groups):
    return [np.array(group, dtype=float) for group in groups]


def test_the_word_that_moves_the_value_most_is_named():
    found = sensitivity(5, left_out([4, 6], [5, 1, 7]), NAMES)
    assert found == {"loo_low": 1, "loo_high": 7, "influential_word": "d"}


def test_an_undefined_value_or_none_without_any_word_has_no_range():
    nothing = left_out([math.nan] * 2, [math.nan] * 3)
    assert sensitivity(math.nan, left_out([1, 2], [1, 2, 3]), NAMES) == {}
    assert sensitivity(5, nothing, NAMES) == {}
