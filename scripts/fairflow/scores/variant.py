"""Variant: a metric with its parameters; and the cell, what one score file is about."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from fairflow.errors import ConfigurationError
from fairflow.files.registry import Registry
from fairflow.statistics.outcome import Reading
from fairflow.statistics.permutation import ALTERNATIVES


class Slice(NamedTuple):
    """The answers of one model to one query, for any metric."""

    model: str
    query: str

    @property
    def path(self) -> str:
        """'model/query', as in the names of files."""
        return "/".join(self)


class Cell(NamedTuple):
    """A model, a metric variant and a query: the content of one score file."""

    model: str
    metric: str
    query: str

    @property
    def path(self) -> str:
        """'model/metric/query', as in the names of files."""
        return "/".join(self)

    @property
    def slice(self) -> Slice:
        """The slice that it is measured on."""
        return Slice(self.model, self.query)


@dataclass(frozen=True)
class Variant:
    """What the variants of word metrics and of item metrics have in common.

    Attributes
    ----------
    metric : a file of the metrics' folder, whose classes `registry` holds.
    measure : the measure that is ranked.
    alternative : of the permutation test, "greater", "less" or "two-sided"; the metric's usual one
        by default.
    label : shown in tables and figures; the name by default.
    of_words : whether vectors of words are measured. scored_by : the kind of job that makes the
        scores. ability : see `fairflow.planning.study.Study`.
    normalize : see `WordVariant`.
    """

    name: str
    metric: str
    measure: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    alternative: str | None = None
    label: str = ""

    registry: ClassVar[Registry]
    scored_by: ClassVar[str]
    _problems_of: ClassVar[Callable[..., list[str]]]
    is_applicable: ClassVar[Callable[..., bool]]
    problem_with: ClassVar[Callable[..., str | None]]
    # No annotation: these would be fields, before those of a subclass.
    of_words = False
    normalize = False
    ability: ClassVar[Mapping[str, str]] = {}

    @property
    def draws(self) -> bool:
        """Whether a cell needs a seed without tests, too."""
        return True

    @property
    def property_scale(self) -> str:
        """The label of its scale of a property of words; "" if it has no such scale."""
        return ""

    def __post_init__(self) -> None:
        if not self.label:
            object.__setattr__(self, "label", self.name)

    @cached_property
    def metric_class(self) -> Any:
        """The class of the metric, which says what its values mean."""
        return self.registry.load(self.metric)

    @property
    def module(self) -> str:
        """The module or file that holds the metric."""
        return self.registry.module(self.metric)

    def problems(self) -> list[str]:
        """Faults of metric, parameters, measure and alternative."""
        try:
            problems = self._problems_of(self.metric_class)
        except ConfigurationError as error:
            return list(error.problems)
        if self.alternative not in (None, *ALTERNATIVES):
            problems.append(
                f"alternative must be one of {', '.join(ALTERNATIVES)}, got {self.alternative!r}"
            )
        return problems

    @property
    def definition(self) -> dict[str, Any]:
        """Everything that decides a value, as plain values: all but name and label."""
        plain = asdict(self)
        alternative = plain.pop("alternative")
        return {k: v for k, v in plain.items() if k not in ("name", "label")} | {
            "alternative": alternative
        }

    @property
    def base_variant(self) -> Variant:
        """The variant that is computed for it; several variants may show values of one."""
        return self

    @property
    def view(self) -> dict[str, Any]:
        """How its rows are read from those of its base variant: plain values.

        As `fairflow.studies.score_table` takes them.
        """
        return {}

    @property
    def direction(self) -> dict[str, bool]:
        """Are absolute values taken, is larger fairer, and is it bias at all?"""
        names = ("signed", "larger_is_fairer", "measures_bias")
        return {name: getattr(self.metric_class, name) for name in names}

    @property
    def reading(self) -> Reading:
        """What a value says, and which value is fair."""
        return self.reading_of(self.measure)

    def reading_of(self, measure: str) -> Reading:
        """What a value of one of its measures says; no value is fair of what measures no bias."""
        reading = self.metric_class.reading(measure, self.parameters)
        return reading if self.metric_class.measures_bias else Reading(says=reading.text())

    @property
    def fair_values(self) -> dict[str, float]:
        """Measure -> its fair value, of the measures that have one."""
        measures = dict.fromkeys((self.measure, *self.metric_class.measure_names))
        fair = {measure: self.reading_of(measure).fair for measure in measures}
        return {measure: value for measure, value in fair.items() if value is not None}

    @property
    def grows_with_length(self) -> bool:
        """Whether the value changes with the length of vectors."""
        return not self.normalize and self.metric_class.scales_with_length(self.parameters)

    @property
    def depends_on_dimension(self) -> bool:
        """Whether values without any association depend on the number of dimensions."""
        return self.metric_class.scales_with_dimension(self.measure, self.parameters)

    @property
    def statistic(self) -> str:
        """The name of what the test exchanges and compares; variants may share it."""
        ignored = self.metric_class.without_effect_on_test
        parameters = {k: v for k, v in self.parameters.items() if k not in ignored}
        if self.metric_class.scales_with_length(self.parameters):
            parameters["normalize"] = self.normalize
        return f"{self.metric} {json.dumps(parameters, sort_keys=True, default=str)}"
