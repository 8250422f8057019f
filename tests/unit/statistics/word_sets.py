"""Word sets with random vectors or with names alone, and statistics of them that nobody tests."""

from dataclasses import dataclass

import numpy as np

from fairflow.statistics.resampling_statistic import ResamplingStatistic, Stratum
from fairflow.vectors.query_vectors import WordVectors


def words(name, rows, names=None):
    names = tuple(names or numbered(name, len(rows)))
    return WordVectors(name, names, names, np.asarray(rows, dtype=float), names)


def numbered(name, n):
    return tuple(f"{name}{i}" for i in range(n))


def sets_of(sizes, seed=0, dims=4, names="xyab"):
    random = np.random.default_rng(seed)
    return [
        words(name, random.normal(0.2, 1, (n, dims))) for name, n in zip(names, sizes, strict=False)
    ]


def stratum(*names, lost=()):
    """The words of a set, some without a vector."""
    kept = [name for name in names if name not in lost]
    unit_of = np.array([kept.index(name) if name in kept else -1 for name in names])
    return Stratum(names, unit_of, tuple(kept))


class Untested(ResamplingStatistic):
    """A statistic that is resampled alone."""

    def test_statistic(self, targets):
        raise NotImplementedError


@dataclass(frozen=True)
class Mean(Untested):
    """The mean of the values of words."""

    targets: tuple
    values: np.ndarray
    attributes = ()

    def measures(self, targets, attributes=None):
        return {"mean": targets[0] @ self.values / targets[0].sum(axis=1)}
