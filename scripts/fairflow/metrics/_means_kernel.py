"""The kernel of metrics that are a mean of one value of each target word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairflow.statistics.kernel import Kernel, Stratum, weighted_means
from fairflow.vectors.query_vectors import WordVectors
from fairflow.vectors.strata import stratum_of


@dataclass(frozen=True)
class MeansKernel(Kernel):
    """Means of values for weighted words.

    Null hypothesis of the test, of two target sets: the words are exchangeable between them, as far
    as their values go. Exchanged: their labels. Statistic: the difference of the sets' means.

    Attributes
    ----------
    values : of each word, between -1 and 1, (units,).
    mean : name of the measure that is their mean over all sets. difference : name of that which is
        the first set's mean minus the second's.
    """

    targets: Sequence[Stratum]
    attributes: Sequence[Stratum]
    values: np.ndarray
    mean: str
    difference: str

    tested = "difference of means"
    attributes_fixed = "the direction is that of all pairs: no attribute words are resampled"

    @classmethod
    def of(
        cls,
        targets: Sequence[WordVectors],
        values: Sequence[np.ndarray],
        mean: str,
        difference: str,
    ) -> MeansKernel:
        """The kernel of these sets and their words' values."""
        every = np.concatenate(values)
        strata = [stratum_of(target) for target in targets]
        return cls(strata, [], every, mean, difference)

    @property
    def tested_measures(self) -> tuple[str, ...]:  # type: ignore[override]
        """The difference."""
        return (self.difference,)

    def measures(
        self, targets: Sequence[np.ndarray], attributes: Sequence[np.ndarray] | None = None
    ) -> dict[str, np.ndarray]:
        """The mean of all words, and of two sets the difference."""
        # One row of weights may hold for all resamplings.
        measures = {self.mean: weighted_means(self.values[np.newaxis], sum(targets))}
        if len(targets) == 2:
            measures[self.difference] = self.test_statistic(targets)
        return measures

    def test_statistic(self, targets: Sequence[np.ndarray]) -> np.ndarray:
        """The difference of means."""
        first, second = (weighted_means(self.values[np.newaxis], one) for one in targets)
        return first - second

    @property
    def contributions(self) -> np.ndarray | None:
        """The value of each word: (words,); None where there are not two sets."""
        return self.values if len(self.targets) == 2 else None

    @property
    def untestable(self) -> str | None:
        """Why there is nothing to test, or None."""
        return super().untestable if len(self.targets) == 2 else "the test needs two target sets"

    @property
    def magnitude(self) -> float:
        """The largest value."""
        return float(np.abs(self.values).max())

    def limits(self, measure: str) -> tuple[float, float]:
        """Those of a cosine, or of a difference of two."""
        most = 1.0 if measure == self.mean else 2.0
        return -most, most
