"""ItemMetric: what a metric of items declares, the scores of its items, and what resamples them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fairflow.errors import nearest
from fairflow.language_models.errors import Invalid, ItemError, not_finite
from fairflow.language_models.items.item import Item
from fairflow.language_models.items.item_set import KINDS, ItemSet
from fairflow.language_models.slices.answers import ScoredText, ScoredTexts
from fairflow.statistics.counts import MINIMUM_COUNTS, Counts
from fairflow.statistics.grouped_kernel import GroupedKernel, grouped
from fairflow.statistics.kernel import Kernel, Stratum, weighted_means


@dataclass(frozen=True)
class ItemScores:
    """Values of items, ready to be resampled.

    What could have been another one is a *unit*: a pair, a row of target words, a target term, a
    prompt, or what the data name with `unit`. Units are drawn in a bootstrap and, when values are
    differences whose sign stands for the direction, turned in a permutation test: all items of a
    unit together. Templates and fills that meet several units are crossed with them.

    Attributes
    ----------
    metric, measure : what `values` are.
    item_ids, template_ids, categories : (items,); the template is the item's own id where it has
        none.
    unit_ids : (items,) the unit of each. factors : name -> (items,) levels of what units may be
        crossed with, "" for none.
    values : (items,) float64, NaN for an item that could not be scored.
    statuses, reasons : "ok" and None, or why.
    columns : further values of each item: name -> (items,), NaN likewise.
    """

    metric: str
    measure: str
    item_ids: tuple[str, ...]
    template_ids: tuple[str, ...]
    categories: tuple[str, ...]
    values: np.ndarray
    statuses: tuple[str, ...]
    reasons: tuple[str | None, ...]
    columns: Mapping[str, np.ndarray] = field(default_factory=dict)
    unit_ids: tuple[str, ...] = ()
    factors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def ok(self) -> np.ndarray:
        """(items,) which items were scored."""
        return np.array([status == "ok" for status in self.statuses], dtype=bool)

    @property
    def n_items(self) -> int:
        return len(self.item_ids)

    @property
    def n_lost(self) -> int:
        """Items that could not be scored."""
        return self.n_items - int(self.ok.sum())

    @property
    def scored_values(self) -> np.ndarray:
        """Values of the items that were scored."""
        return self.values[self.ok]

    def rows(self) -> list[dict[str, Any]]:
        """One row per item, for a table; what decides, `measure`, follows the category."""
        return [
            {
                "metric": self.metric,
                "item": item,
                "template": self.template_ids[i],
                "unit": self.unit_ids[i],
                "category": self.categories[i],
                self.measure: float(self.values[i]),
                **{name: float(values[i]) for name, values in self.columns.items()},
                "status": self.statuses[i],
                "reason": self.reasons[i],
            }
            for i, item in enumerate(self.item_ids)
        ]


def item_scores(
    metric: str,
    measure: str,
    items: Iterable[Item],
    score: Callable[[Any], Mapping[str, float]],
) -> ItemScores:
    """Score items one by one.

    Parameters
    ----------
    score : the values of an item, `measure` among them; raises Invalid for an item without.

    Raises
    ------
    ItemError : no item, or one id twice.
    """
    items = list(items)
    ids = [item.item_id for item in items]
    if not ids or len(set(ids)) < len(ids):
        raise ItemError(f"{metric}: there must be at least one item, each with an id of its own")
    scored: list[Mapping[str, float]] = []
    findings: list[Invalid | None] = []
    for item in items:
        try:
            values = score(item)
            if math.isnan(values[measure]):
                raise not_finite("an answer")
            scored.append(values)
            findings.append(None)
        except Invalid as finding:
            scored.append({})
            findings.append(finding)
    names = dict.fromkeys(name for values in scored for name in values)
    columns = {
        name: np.array([values.get(name, math.nan) for values in scored], dtype=np.float64)
        for name in names
    }
    return ItemScores(
        metric=metric,
        measure=measure,
        item_ids=tuple(ids),
        template_ids=tuple(item.template_id or item.item_id for item in items),
        categories=tuple(item.category for item in items),
        values=columns.pop(measure, np.full(len(items), math.nan)),
        statuses=tuple("ok" if finding is None else finding.status for finding in findings),
        reasons=tuple(None if finding is None else finding.reason for finding in findings),
        columns=columns,
        unit_ids=tuple(item.unit_id for item in items),
        factors=factors_of(items),
    )


def factors_of(items: Iterable[Item]) -> dict[str, tuple[str, ...]]:
    """Name -> level of each item, "" for none."""
    factors = [item.factors for item in items]
    names = dict.fromkeys(name for of_item in factors for name in of_item)
    return {name: tuple(of_item.get(name, "") for of_item in factors) for name in names}


Formula = Callable[[np.ndarray], dict[str, np.ndarray]]


@dataclass(frozen=True)
class ItemKernel(Kernel):
    """A metric of weighted items.

    Null hypothesis of the test: what an item compares is exchangeable, so that the sign of its
    value is as likely the other one. `Measured.kernel` makes the unit of test and bootstrap what
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


# What every metric of items says of itself.
DECLARED = ("kind", "title", "citation", "measure_names")


@dataclass(frozen=True)
class Measured:
    """Items with their values, and what they give together.

    Attributes
    ----------
    formula : measures of (resamplings, scored items) weights.
    signs : (scored items,) what the permutation test turns, None where there is no test.
    tested : its mean, in words. tested_measures : those whose p-value it gives.
    ends : of the scales of measures that are shares. limits : of others that are bounded.
    counts : what measures of counts rest on.
    rests_on : measure -> (scored items,) which of them it is a share or mean of; of measures that
        are left out, all.
    """

    scores: ItemScores
    formula: Formula
    signs: np.ndarray | None = None
    tested: str = ""
    tested_measures: tuple[str, ...] = ()
    ends: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    counts: Counts | None = None
    rests_on: Mapping[str, np.ndarray] = field(default_factory=dict)

    @cached_property
    def measures(self) -> dict[str, float]:
        """Every measure of the items as they are; NaN where no item was scored."""
        values_of = self.formula(np.ones((1, int(self.scores.ok.sum()))))
        return {name: float(values[0]) for name, values in values_of.items()}

    def numbers(self, measure: str) -> dict[str, int]:
        """How many items a measure rests on, and how many units."""
        rests = self.rests_on.get(measure, np.ones(int(self.scores.ok.sum()), dtype=bool))
        units = np.array(self.scores.unit_ids)[self.scores.ok][rests]
        return {"n_items": int(rests.sum()), "n_units": len({*units.tolist()})}

    @property
    def kernel(self) -> GroupedKernel:
        """What tests and intervals need: units of items, crossed with templates and fills."""
        scores, ok, tested = self.scores, self.scores.ok, self.signs is not None
        ids = scores.item_ids
        names = tuple(name for name, scored in zip(ids, ok, strict=True) if scored)
        base = ItemKernel(
            targets=[Stratum(ids, np.where(ok, np.cumsum(ok) - 1, -1), names)],
            formula=self.formula,
            signs=self.signs,
            tested=self.tested if tested else "",
            tested_measures=self.tested_measures if tested else (),
            scales={**self.ends, **self.limits},
        )
        factors = [
            {item: f"{name} {level}" for item, level in zip(ids, levels, strict=True) if level}
            for name, levels in scores.factors.items()
        ]
        return grouped(base, dict(zip(ids, scores.unit_ids, strict=True)), factors)


class ItemMetric:
    """A metric of one kind of items; one class per file of `language_models.metrics`.

    Attributes
    ----------
    kind : of the queries that it takes. citation : the paper that defines it.
    larger_is_fairer, measures_bias, signed, readings : as of
        `fairflow.metrics.base_metric.BaseMetric`.
    measure_names : the measures that may be ranked.
    ability : that of them which tells how well a model does the task at all, larger being better;
        "" where none does.
    counted : the lists of an `ItemSet` whose words it counts in completions, a text that is
        counted having a word of each; none where it counts no words.
    defaults : its own parameters with their usual values.
    choices : parameter -> valid values, where they are few.
    without_effect_on_test : as of `BaseMetric`.
    asks : kind of model -> what is asked of it, see `needs`; parameters stand in braces.
    item_value : the value of an item, among those of `score`, that its measures are made of.
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    citation: ClassVar[str]
    larger_is_fairer: ClassVar[bool] = False
    measures_bias: ClassVar[bool] = True
    signed: ClassVar[bool] = True
    measure_names: ClassVar[tuple[str, ...]]
    ability: ClassVar[str] = ""
    counted: ClassVar[tuple[str, ...]] = ()
    defaults: ClassVar[Mapping[str, Any]] = {}
    choices: ClassVar[Mapping[str, Sequence[Any]]] = {}
    without_effect_on_test: ClassVar[tuple[str, ...]] = ()
    readings: ClassVar[Mapping[str, str]] = {}
    asks: ClassVar[Mapping[str, str]] = {}
    item_value: ClassVar[str]

    def __init__(self, **parameters: Any) -> None:
        self.parameters = {**self.defaults, **parameters}
        self.name = type(self).__module__.rpartition(".")[2]

    @classmethod
    def problems(cls, parameters: Mapping[str, Any], measure: str) -> list[str]:
        """What is wrong with the class, parameters or measure."""
        missing = [name for name in DECLARED if not hasattr(cls, name)]
        missing += [] if cls.asks or cls.needs is not ItemMetric.needs else ["needs"]
        by_item = cls.score is not ItemMetric.score
        missing += [] if by_item or cls.measure is not ItemMetric.measure else ["measure"]
        if missing:
            return [f"{cls.__name__} must define {', '.join(missing)}"]
        if cls.kind not in KINDS:
            return [f"{cls.__name__}.kind must be one of {', '.join(KINDS)}, got {cls.kind!r}"]
        if cls.ability and cls.ability not in cls.measure_names:
            listed = ", ".join(cls.measure_names)
            return [f"{cls.__name__}.ability must be one of {listed}, got {cls.ability!r}"]
        sentences = [
            f"{cls.title} has no parameter {name!r}. {nearest(name, cls.defaults)}"
            for name in parameters
            if name not in cls.defaults
        ]
        for name, valid in cls.choices.items():
            if name in parameters and parameters[name] not in valid:
                listed = ", ".join(map(str, valid))
                sentences.append(f"{name} must be one of {listed}, got {parameters[name]!r}")
        least = parameters.get("minimum_counts", MINIMUM_COUNTS)
        if isinstance(least, bool) or not isinstance(least, int) or least < 1:
            sentences.append(f"minimum_counts must be a whole number from 1, got {least!r}")
        if measure not in cls.measure_names:
            listed = ", ".join(cls.measure_names)
            sentences.append(f"{cls.title} has no measure {measure!r}: {listed}")
        return sentences

    def needs(self, model_kind: str) -> tuple[str, ...]:
        """What `token_requests` shall ask of a model of this kind; empty if it cannot be had."""
        asked = self.asks.get(model_kind)
        return (asked.format(**self.parameters),) if asked else ()

    def query_problem(self, items: ItemSet) -> str | None:
        """Why these items cannot be measured, or None."""
        return None

    def measure(self, items: ItemSet, slice_: Sequence[Any], model_kind: str) -> Measured:
        """Score items.

        Parameters
        ----------
        slice_ : of `read_tokens` or `read_completions`.
        """
        return self.summary(self.scores(items.items, slice_, model_kind), items.items)

    def scores(
        self, items: Iterable[Any], texts: Iterable[ScoredText], model_kind: str = "masked"
    ) -> ItemScores:
        """The values of each item, by the texts that were scored for it."""
        answers = ScoredTexts(texts)
        return item_scores(
            self.name, self.item_value, items, lambda item: self.score(item, answers, model_kind)
        )

    def score(self, item: Any, texts: ScoredTexts, model_kind: str) -> Mapping[str, float]:
        """The values of one item, `item_value` among them; raises Invalid for one without."""
        raise NotImplementedError

    def summary(self, scores: ItemScores, items: Sequence[Any]) -> Measured:
        """What the items give together; by default the mean of their values."""
        values = scores.scored_values
        return Measured(scores, lambda weights: {"mean": mean_of(values, weights)})

    @classmethod
    def reading(cls, measure: str, parameters: Mapping[str, Any]) -> str:
        """What a value says, in a few words for an axis; empty if the metric does not tell."""
        return cls.readings.get(measure, "")

    @classmethod
    def scales_with_length(cls, parameters: Mapping[str, Any]) -> bool:
        """No vectors are used."""
        return False

    @classmethod
    def scales_with_dimension(cls, measure: str, parameters: Mapping[str, Any]) -> bool:
        """No vectors are used."""
        return False


def mean_of(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted mean: (n,), (B, n) -> (B,); NaN where all weights are 0."""
    return weighted_means(np.asarray(values, dtype=float)[np.newaxis], weights)
