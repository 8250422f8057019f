"""Splitting two classes of words into a training set and a fifth that is held out."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from fairflow.errors import DegenerateError

HELD_OUT = 0.2
MAX_EXACT_SPLITS = 20_000


def stratified_splits(
    positive: int,
    negative: int,
    repeats: int,
    random: np.random.RandomState,
    test_size: float = HELD_OUT,
) -> np.ndarray:
    """Random training sets of four fifths of the words, both classes in proportion.

    The first split from a fresh generator is the one that scikit-learn's `train_test_split` with
    that seed, the same test_size and stratify makes of the words in this order.

    Parameters
    ----------
    test_size : share of the words that is held out, above 0 and below 1.

    Returns
    -------
    (repeats, positive + negative), True where a word is in the training set.

    Raises
    ------
    DegenerateError : a class has fewer than two words, or one side of the split would lack one.
    """
    held_out = _held_out(positive, negative, test_size)
    # Class -1 comes first in scikit-learn's order.
    starts_and_counts = ((positive, negative), (0, positive))
    used = np.zeros((repeats, positive + negative), dtype=bool)
    for split in used:
        sizes = _apportion(np.array([negative, positive]), positive + negative - held_out, random)
        for (start, count), size in zip(starts_and_counts, sizes, strict=True):
            split[start + random.permutation(count)[:size]] = True
        _discard_order(held_out, positive + negative - held_out, random)
    return used


def unstratified_splits(
    positive: int,
    negative: int,
    repeats: int,
    random: np.random.RandomState,
    test_size: float = HELD_OUT,
) -> np.ndarray:
    """Random training sets without regard to the classes.

    The first split from a fresh generator is that of scikit-learn's `train_test_split` with that
    seed and test_size. Parameters and result are those of `stratified_splits`.

    Raises
    ------
    DegenerateError : a training set lacks one of the classes.
    """
    n_words = positive + negative
    held_out = math.ceil(test_size * n_words)
    used = np.zeros((repeats, n_words), dtype=bool)
    for split in used:
        split[random.permutation(n_words)[held_out:]] = True
    if not (used[:, :positive].any(axis=1) & used[:, positive:].any(axis=1)).all():
        raise DegenerateError(
            f"{positive} and {negative} attribute words are too few for a {test_size:.0%} holdout: "
            "a training set lacks one of the two sets"
        )
    return used


def every_split(positive: int, negative: int) -> tuple[np.ndarray, np.ndarray]:
    """Every training set that `stratified_splits` can draw, and its probability.

    Raises
    ------
    ValueError : there are more than MAX_EXACT_SPLITS of them.
    """
    kept = positive + negative - _held_out(positive, negative)
    sizes = _possible_sizes(positive, negative, kept)
    numbers = [math.comb(positive, p) * math.comb(negative, n) for p, n in sizes]
    if sum(numbers) > MAX_EXACT_SPLITS:
        raise ValueError(
            f"{positive} + {negative} attribute words have {sum(numbers):,} splits, more than the "
            f"{MAX_EXACT_SPLITS:,} that are enumerated; give a number of iterations"
        )
    used = np.zeros((sum(numbers), positive + negative), dtype=bool)
    choices = (
        (*first, *(positive + i for i in second))
        for p, n in sizes
        for first in combinations(range(positive), p)
        for second in combinations(range(negative), n)
    )
    for split, chosen in zip(used, choices, strict=True):
        split[list(chosen)] = True
    weights = [np.full(number, 1 / number / len(sizes)) for number in numbers]
    return used, np.concatenate(weights)


def _held_out(positive: int, negative: int, test_size: float = HELD_OUT) -> int:
    held_out = math.ceil(test_size * (positive + negative))
    if min(positive, negative) < 2 or held_out < 2:
        raise DegenerateError(
            f"{positive} and {negative} attribute words are too few for a stratified "
            f"{test_size:.0%} holdout: at least 2 of each and 6 in all are needed"
        )
    return held_out


def _possible_sizes(positive: int, negative: int, kept: int) -> list[tuple[int, int]]:
    """(positive, negative) numbers of training words; two pairs when a tie is broken by lot."""
    exact = positive / (positive + negative) * kept
    if exact % 1 == 0.5:
        return [
            (math.floor(exact), kept - math.floor(exact)),
            (math.ceil(exact), kept - math.ceil(exact)),
        ]
    return [(round(exact), kept - round(exact))]


def _apportion(counts: np.ndarray, seats: int, random: np.random.RandomState) -> np.ndarray:
    """Seats in proportion to counts by largest remainder; ties by lot."""
    exact = counts / counts.sum() * seats
    sizes = np.floor(exact).astype(int)
    remainders = exact - sizes
    missing = seats - sizes.sum()
    for remainder in sorted(set(remainders.tolist()), reverse=True):
        if missing <= 0:
            break
        tied = np.flatnonzero(remainders == remainder)
        chosen = random.choice(tied, size=min(len(tied), missing), replace=False)
        sizes[chosen] += 1
        missing -= len(chosen)
    return sizes


def _discard_order(held_out: int, kept: int, random: np.random.RandomState) -> None:
    # The order within a split does not matter to a converged fit, but the generator's state does.
    random.permutation(kept)
    random.permutation(held_out)
