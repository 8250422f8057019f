"""Variant: a metric with its parameters, under the name that paths and tables show."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from fairflow.statistics.permutation import SIDES


@dataclass(frozen=True)
class Variant(ABC):
    """What the variants of word metrics and of item metrics have in common.

    Attributes
    ----------
    metric : a file of the metrics' folder.
    measure : the measure that is ranked.
    side : the alternative of the permutation test, the metric's usual one by default.
    label : shown in tables and figures; the name by default.
    of_items : whether items are measured, not vectors. normalize : see `WordVariant`.
    draws : whether a cell needs a seed without tests, too.
    """

    name: str
    metric: str
    measure: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    side: str | None = None
    label: str = ""

    of_items: ClassVar[bool]
    # No annotation: it would be a field, before those of a subclass.
    normalize = False

    def __post_init__(self) -> None:
        if not self.label:
            object.__setattr__(self, "label", self.name)

    @property
    @abstractmethod
    def declared(self) -> Any:
        """The class of the metric, which says what its values mean."""

    @property
    @abstractmethod
    def module(self) -> str:
        """The module or file that holds the metric."""

    @property
    @abstractmethod
    def draws(self) -> bool:
        """Whether random numbers decide the value itself."""

    @abstractmethod
    def problems(self) -> list[str]:
        """What is wrong with metric, parameters, measure or side."""

    @abstractmethod
    def fits(self, model: Any, query: Any) -> bool:
        """Whether it can measure a query on a model, both of a plan."""

    @property
    def definition(self) -> dict[str, Any]:
        """Everything that decides a value, as plain values: all but name and label."""
        plain = asdict(self)
        side = plain.pop("side")
        return {k: v for k, v in plain.items() if k not in ("name", "label")} | {"side": side}

    @property
    def computation(self) -> Variant:
        """What is computed for it, of which other variants may be other readings."""
        return self

    @property
    def shown(self) -> dict[str, Any]:
        """How its rows are read from those of its computation: plain values.

        As `fairflow.studies.variant_rows` takes them.
        """
        return {}

    @property
    def direction(self) -> dict[str, bool]:
        """Are absolute values taken, and is larger fairer?"""
        declared = self.declared
        return {"signed": declared.signed, "larger_is_fairer": declared.larger_is_fairer}

    @property
    def reading(self) -> str:
        """What a value says, in a few words for an axis; may be empty."""
        return self.declared.reading(self.measure, self.parameters)

    @property
    def grows_with_length(self) -> bool:
        """Whether the value changes with the length of vectors."""
        return not self.normalize and self.declared.scales_with_length(self.parameters)

    @property
    def statistic(self) -> str:
        """The name of what the test exchanges and compares; variants may share it."""
        ignored = self.declared.without_effect_on_test
        parameters = {k: v for k, v in self.parameters.items() if k not in ignored}
        if self.declared.scales_with_length(self.parameters):
            parameters["normalize"] = self.normalize
        return f"{self.metric} {json.dumps(parameters, sort_keys=True, default=str)}"

    def _side_problems(self) -> list[str]:
        if self.side in (None, *SIDES):
            return []
        return [f"side must be one of {', '.join(SIDES)}, got {self.side!r}"]
