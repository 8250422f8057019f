"""The random splits of RNSB are those of scikit-learn."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import train_test_split

from fairflow.errors import DegenerateError
from fairflow.statistics.classification import every_split, random_splits

COUNTS = st.integers(1, 40)
SEEDS = st.integers(0, 2**32 - 1)


def labels(positive, negative):
    return np.repeat([1, -1], [positive, negative])


@given(COUNTS, COUNTS, SEEDS)
def test_one_split_is_that_of_train_test_split_and_impossible_where_that_is(
    positive, negative, seed
):
    random = np.random.RandomState(seed)
    y = labels(positive, negative)
    try:
        expected, _ = train_test_split(
            np.arange(len(y)), test_size=0.2, shuffle=True, stratify=y, random_state=seed
        )
    except ValueError:
        with pytest.raises(DegenerateError):
            random_splits(positive, negative, 1, random)
    else:
        (split,) = random_splits(positive, negative, 1, random)
        assert np.flatnonzero(split).tolist() == sorted(expected)


@pytest.mark.parametrize("counts", [(8, 8), (2006, 4783), (13, 7), (5, 2)])
def test_one_split_with_seed_42_is_that_of_train_test_split(counts):
    y = labels(*counts)
    expected, _ = train_test_split(
        np.arange(len(y)), test_size=0.2, shuffle=True, stratify=y, random_state=42
    )
    (split,) = random_splits(*counts, 1, np.random.RandomState(42))
    assert np.flatnonzero(split).tolist() == sorted(expected)


@given(st.integers(3, 60), st.integers(3, 60), SEEDS)
def test_a_fifth_is_held_out_of_both_classes(positive, negative, seed):
    total = positive + negative
    for split in random_splits(positive, negative, 3, np.random.RandomState(seed)):
        assert total - split.sum() == math.ceil(total / 5)
        for held_out, count in (
            (positive - split[:positive].sum(), positive),
            (negative - split[positive:].sum(), negative),
        ):
            # The holdout is rounded up to a whole word, then each class to a neighbour.
            assert math.floor(count / 5) - 1 <= held_out <= math.ceil(count / 5) + 1


def test_every_split_of_8_and_8_words_is_enumerated_once():
    splits, weights = every_split(8, 8)
    assert len({split.tobytes() for split in splits}) == len(splits) == 28 * 28
    assert (splits[:, :8].sum(axis=1) == 6).all()
    assert (splits[:, 8:].sum(axis=1) == 6).all()
    assert weights.sum() == pytest.approx(1)


@given(COUNTS, COUNTS, SEEDS, st.sampled_from([0.1, 0.33, 0.5]))
def test_a_split_without_regard_to_classes_is_that_of_train_test_split(
    positive, negative, seed, test_size
):
    random = np.random.RandomState(seed)
    y = labels(positive, negative)
    if math.ceil(test_size * len(y)) == len(y):
        return
    expected, _ = train_test_split(np.arange(len(y)), test_size=test_size, random_state=seed)
    if len(set(y[expected])) < 2:
        with pytest.raises(DegenerateError, match="a training set lacks one of the two sets"):
            random_splits(positive, negative, 1, random, test_size, stratify=False)
    else:
        (split,) = random_splits(positive, negative, 1, random, test_size, stratify=False)
        assert np.flatnonzero(split).tolist() == sorted(expected)


def test_random_splits_are_among_those_enumerated():
    known = {split.tobytes() for split in every_split(7, 5)[0]}
    drawn = random_splits(7, 5, 200, np.random.RandomState(0))
    assert {split.tobytes() for split in drawn} <= known
