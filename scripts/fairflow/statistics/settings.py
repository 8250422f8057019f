"""How much resampling a cell gets."""

from __future__ import annotations

from dataclasses import dataclass

from fairflow.statistics.bootstrap import INTERVALS

# Of random exchanges and resamples, wherever none is given.
DEFAULT_SEED = 2020


@dataclass(frozen=True)
class Statistics:
    """Settings of every test and interval, the same for all cells.

    Attributes
    ----------
    exact_up_to : a test lists all exchanges when there are no more than these.
    permutations : random exchanges otherwise.
    largest_work : numbers that a test may go through; above, it draws fewer random exchanges.
    resamples : of the words, for intervals.
    interval : "bca" or "percentile". level : of intervals and null bands.
    joint_draws : resamples that are kept, to compare models in the same draws.
    random_sets : random target sets for the null band.
    random_words : words of the model that they are drawn from.
    """

    exact_up_to: int = 3_000_000
    permutations: int = 100_000
    largest_work: int = 50_000_000
    resamples: int = 5_000
    interval: str = "bca"
    level: float = 0.95
    joint_draws: int = 1_000
    random_sets: int = 1_000
    random_words: int = 400

    def __post_init__(self) -> None:
        if self.interval not in INTERVALS:
            raise ValueError(
                f"interval must be one of {', '.join(INTERVALS)}, got {self.interval!r}"
            )
        if not 0 < self.level < 1:
            raise ValueError(f"level must lie between 0 and 1, got {self.level!r}")
        for name in ("exact_up_to", "permutations", "largest_work", "resamples", "random_sets"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)!r}")
        if not 0 <= self.joint_draws <= self.resamples:
            raise ValueError(
                f"joint_draws must lie between 0 and resamples ({self.resamples}), "
                f"got {self.joint_draws!r}"
            )
