"""ItemKernel: a metric of items, evaluated for many weightings of the items at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from fairflow.language_models.scoring.item_scores import ItemScores
from fairflow.statistics.grouped_kernel import GroupedKernel, grouped
from fairflow.statistics.kernel import Kernel, Stratum

Formula = Callable[[np.ndarray], dict[str, np.ndarray]]


@dataclass(frozen=True)
class ItemKernel(Kernel):
    """A metric of weighted items.

    Null hypothesis of the test: what an item compares is exchangeable, so that the sign of its
    value is as likely the other one. `kernel_of_items` makes the unit of test and bootstrap what
    the data name: items of one unit turn together.

    Attributes
    ----------
    formula : measures of (resamplings, scored items) weights.
    signs : (scored items,) what turns its sign, the tested statistic being its mean.
    scales : measure -> least and largest value; unbounded measures are left out.
    """

    targets: Sequence[Stratum]
    formula: Formula
    signs: np.ndarray | None = None
    tested: str = ""
    tested_measures: tuple[str, ...] = ()
    scales: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    attributes = ()
    side: ClassVar[str] = "two-sided"
    exchanged: ClassVar[str] = "signs"
    unit: ClassVar[str] = "units"
    attributes_fixed: ClassVar[str] = "units are not crossed with templates or fills"

    def measures(
        self, targets: Sequence[np.ndarray], attributes: Sequence[np.ndarray] | None = None
    ) -> dict[str, np.ndarray]:
        """Every measure: (resamplings,)."""
        return self.formula(targets[0])

    def test_statistic(self, targets: Sequence[np.ndarray]) -> np.ndarray:
        """The mean of the items' values under each choice of signs."""
        return targets[0] @ self.signs / len(self.signs)

    def limits(self, measure: str) -> tuple[float, float]:
        """The ends of the measure's scale."""
        return self.scales.get(measure, (-math.inf, math.inf))

    @property
    def untestable(self) -> str | None:
        """Why there is nothing to test, or None."""
        if self.signs is None:
            return "items are not paired: no exchange leaves the measure as it would be if fair"
        return None


def kernel_of_items(
    scores: ItemScores,
    formula: Formula,
    signs: np.ndarray | None,
    tested: str,
    tested_measures: tuple[str, ...] = (),
    scales: Mapping[str, tuple[float, float]] | None = None,
) -> GroupedKernel:
    """The kernel of the units of the items that were scored, crossed with templates and fills."""
    ok = scores.ok
    names = tuple(name for name, scored in zip(scores.item_ids, ok, strict=True) if scored)
    base = ItemKernel(
        targets=[Stratum(scores.item_ids, np.where(ok, np.cumsum(ok) - 1, -1), names)],
        formula=formula,
        signs=signs,
        tested=tested if signs is not None else "",
        tested_measures=tested_measures if signs is not None else (),
        scales=scales or {},
    )
    units = dict(zip(scores.item_ids, scores.unit_ids, strict=True))
    factors = [
        {
            item: f"{name} {level}"
            for item, level in zip(scores.item_ids, levels, strict=True)
            if level
        }
        for name, levels in scores.factors.items()
    ]
    return grouped(base, units, factors)
