"""Tests of word lists where words are exchangeable, and where an effect is planted."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from fairflow.metrics.rnsb import RNSB
from fairflow.metrics.weat import WEAT, associations
from fairflow.nulls.methods.method import DENIED, REVERSED, Tried
from fairflow.queries.query import Query
from fairflow.statistics.rank_tests import ALPHA

DIMENSIONS, RUNS = 50, 1_000
# Worlds of what takes long, and of what is little off.
FEWER, MORE = 100, 2_000
# Of the planted effect: half a standard deviation is a medium one (Cohen 1988).
PLANTED = 0.5
SPREAD = 0.1


class Words(NamedTuple):
    """Four sets of words, their vectors, and the random numbers of a run that has no seed."""

    query: Query
    vectors: dict[str, np.ndarray]
    unseeded: np.random.Generator

    @property
    def sets(self) -> list[np.ndarray]:
        """The vectors of each set."""
        named = (*self.query.target_sets, *self.query.attribute_sets)
        return [np.array([self.vectors[word] for word in words]) for words in named]


def exchangeable(n: int, random: np.random.Generator) -> Words:
    """Every word has a random direction."""
    return _words(random.normal(size=(4, n, DIMENSIONS)), random)


def planted(n: int, random: np.random.Generator, size: float = PLANTED) -> Words:
    """Targets lean to the attributes by cosines whose means are `size` sd apart."""
    lean = SPREAD * (random.normal(size=(2, n)) + size * np.array([[0.5], [-0.5]]))
    targets = np.stack([lean, np.sqrt(1 - lean**2)], axis=2)
    attributes = np.tile([[[1.0, 0.0]], [[-1.0, 0.0]]], (1, n, 1))
    return _words(np.concatenate([targets, attributes]), random)


def _words(rows: np.ndarray, random: np.random.Generator) -> Words:
    names = [[f"{name}{i}" for i in range(rows.shape[1])] for name in "xyab"]
    vectors = dict(zip(chain(*names), rows.reshape(-1, rows.shape[2]), strict=True))
    return Words(Query(names[:2], names[2:]), vectors, random.spawn(1)[0])


def with_replacement(words: Words, two_sided: bool = False) -> bool:
    """Whether p < .05 by the draws of WEFE 1.0.1, which repeat words.

    Two-sided, it compares the size of a draw with the score and its sign.
    """
    x, y, a, b = words.sets
    own = np.concatenate([associations(x, a, b), associations(y, a, b)])
    drawn = own[words.unseeded.integers(0, len(own), (RUNS, len(own)))]
    scores = drawn[:, : len(x)].sum(axis=1) - drawn[:, len(x) :].sum(axis=1)
    score = own[: len(x)].sum() - own[len(x) :].sum()
    reached = (np.abs(scores) if two_sided else scores) > score
    return (reached.sum() + 1) / (RUNS + 1) < ALPHA


def pooled_permutation(words: Words) -> bool:
    """Whether p < .05 by FairLangProc 0.1.9.

    Its effect size divides by the spread of all differences of cosines with pairs of attributes.
    """
    x, y, a, b = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in words.sets)
    pairs = np.concatenate([x, y]) @ (a - b).T
    order = np.argsort(words.unseeded.random((RUNS, len(pairs))), axis=1)
    first, second = np.split(pairs[np.vstack([np.arange(len(pairs)), order])], 2, axis=1)
    spread = np.sqrt((first.var(axis=(1, 2)) + second.var(axis=(1, 2))) / 2)
    sizes = (first.mean(axis=(1, 2)) - second.mean(axis=(1, 2))) / spread
    return ((sizes[1:] > sizes[0]).sum() + 1) / (RUNS + 1) < ALPHA


def ours(words: Words, alternative: str = "right-sided") -> bool:
    """Whether p < .05 by every exchange of the target words."""
    how: dict[str, Any] = {"calculate_p_value": True, "p_value_test_type": alternative}
    return WEAT().run_query(words.query, words.vectors, **how)["p_value"] < ALPHA


def denied(words: Words) -> bool:
    """Whether our test does not reject, which is read as: there is no association."""
    return not ours(words, "two-sided")


def denied_with_replacement(words: Words) -> bool:
    """The same of WEFE's two-sided test."""
    return not with_replacement(words, two_sided=True)


def outside(words: Words) -> bool:
    """Whether our interval of the effect size leaves the planted one out."""
    found = WEAT().run_query(words.query, words.vectors, calculate_intervals=True)
    low, high = found["intervals"]["effect_size"]["targets"]
    size = PLANTED / np.sqrt(1 + PLANTED**2 / 4)
    return not low <= size <= high


def reversed_by_another_run(models: tuple[Words, Words], splits: int) -> bool:
    """Whether the more biased of two models by RNSB is the other one in a second run.

    Parameters
    ----------
    splits : random divisions of the attribute words, whose mean is taken; 1 in WEFE.
    """
    first, second = models
    runs = [_rnsb(first, splits, seed) - _rnsb(second, splits, seed) for seed in (1, 2)]
    return runs[0] * runs[1] < 0


def _rnsb(words: Words, splits: int, seed: int) -> float:
    how: dict[str, Any] = {"holdout": True, "n_iterations": splits, "random_state": seed}
    return RNSB().run_query(words.query, words.vectors, **how)["result"]


def two_models(n: int, random: np.random.Generator) -> tuple[Words, Words]:
    """Two models in which every word has a random direction."""
    return exchangeable(n, random), exchangeable(n, random)


METHODS = {
    "wefe_weat": {
        "4 words a set": Tried(partial(exchangeable, 4), with_replacement, ours, worlds=MORE),
        "8 words a set, a large effect of the other sign": Tried(
            partial(planted, 8, size=-2.5), denied_with_replacement, denied, DENIED
        ),
    },
    "fairlangproc_weat": {
        "8 words a set": Tried(partial(exchangeable, 8), pooled_permutation, ours)
    },
    "wefe_rnsb": {
        "two models, each measured twice": Tried(
            partial(two_models, 16),
            partial(reversed_by_another_run, splits=1),
            partial(reversed_by_another_run, splits=100),
            REVERSED,
            FEWER,
        )
    },
    "few_words": {
        f"{n} words a set": Tried(partial(planted, n), denied, outside, DENIED, FEWER)
        for n in (4, 8, 16)
    },
}
