"""ItemKernel: a metric of items, evaluated for many weightings of the items at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairflow.language_models.item_scores import ItemScores
from fairflow.statistics.kernel import Kernel, Stratum

Formula = Callable[[np.ndarray], dict[str, np.ndarray]]


@dataclass(frozen=True)
class ItemKernel(Kernel):
    """A metric of weighted items.

    Null hypothesis of the test: what an item compares is exchangeable, so that the sign of its
    value is as likely the other one. Units of the bootstrap: the items; and, jointly with them,
    the templates that several items are made from.

    Attributes
    ----------
    formula : measures of (resamplings, scored items) weights.
    template_of : (scored items,) the number of each item's template.
    signs : (scored items,) what turns its sign, the tested statistic being its mean.
    """

    targets: Sequence[Stratum]
    attributes: Sequence[Stratum]
    formula: Formula
    template_of: np.ndarray
    signs: np.ndarray | None = None
    tested: str = ""
    tested_measures: tuple[str, ...] = ()

    side: ClassVar[str] = "two-sided"
    exchanged: ClassVar[str] = "signs"
    unit: ClassVar[str] = "items or templates"
    attributes_fixed: ClassVar[str] = "no two items share a template"

    @classmethod
    def of(
        cls,
        scores: ItemScores,
        formula: Formula,
        signs: np.ndarray | None,
        tested: str,
        tested_measures: tuple[str, ...] = (),
    ) -> ItemKernel:
        """The kernel of the items that were scored."""
        ok = scores.ok
        unit_of = np.where(ok, np.cumsum(ok) - 1, -1)
        names = tuple(name for name, scored in zip(scores.item_ids, ok, strict=True) if scored)
        templates, template_of = np.unique(scores.scored_templates, return_inverse=True)
        every = tuple(dict.fromkeys(sorted(scores.template_ids)))
        numbers = {name: number for number, name in enumerate(templates.tolist())}
        shared = Stratum(
            every,
            np.array([numbers.get(name, -1) for name in every]),
            tuple(f"template {name}" for name in templates.tolist()),
        )
        grouped = 1 < len(templates) < len(names)
        return cls(
            targets=[Stratum(scores.item_ids, unit_of, names)],
            attributes=[shared] if grouped else [],
            formula=formula,
            template_of=template_of,
            signs=signs,
            tested=tested if signs is not None else "",
            tested_measures=tested_measures,
        )

    def measures(
        self, targets: Sequence[np.ndarray], attributes: Sequence[np.ndarray] | None = None
    ) -> dict[str, np.ndarray]:
        """Every measure: (resamplings,)."""
        weights = targets[0]
        if attributes:
            weights = weights * attributes[0][:, self.template_of]
        return self.formula(weights)

    def test_statistic(self, targets: Sequence[np.ndarray]) -> np.ndarray:
        """The mean of the items' values under each choice of signs."""
        return targets[0] @ self.signs / len(self.signs)

    @property
    def untestable(self) -> str | None:
        """Why there is nothing to test, or None."""
        if self.signs is None:
            return "items are not paired: no exchange leaves the measure as it would be if fair"
        return None
