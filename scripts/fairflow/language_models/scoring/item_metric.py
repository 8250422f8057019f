"""ItemMetric: what a metric of items declares, the scores of its items, and their resampling."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fairflow.errors import nearest
from fairflow.language_models.errors import Invalid, not_finite
from fairflow.language_models.items.item import Item
from fairflow.language_models.items.item_set import KINDS, ItemSet
from fairflow.language_models.slices.answers import ScoredText, ScoredTexts
from fairflow.statistics.counts import MINIMUM_COUNTS, Counts
from fairflow.statistics.grouped_statistic import GroupedStatistic, grouped
from fairflow.statistics.outcome import Reading
from fairflow.statistics.resampling_statistic import ResamplingStatistic, Stratum, weighted_means


@dataclass(frozen=True)
class ItemScores:
    """Values of items, ready for resampling.

    A *cluster* is drawn and exchanged as a whole: a pair, a row of target words, a target
    term, a prompt, or what the data name with `cluster`. Clusters are drawn in a bootstrap and,
    if values are differences with a direction, their signs are reversed in a permutation test:
    all items of a cluster together. Templates and fills that meet several clusters are crossed with
    them.

    Attributes
    ----------
    metric, measure : what `values` are.
    values : (items,) float64, NaN for an item that could not be scored.
    statuses, reasons : "ok" and None, or why there is no score.
    columns : further values of each item: name -> (items,), NaN likewise.
    """

    metric: str
    measure: str
    items: tuple[Item, ...]
    values: np.ndarray
    statuses: tuple[str, ...]
    reasons: tuple[str | None, ...]
    columns: Mapping[str, np.ndarray] = field(default_factory=dict)

    @property
    def item_ids(self) -> tuple[str, ...]:
        """(items,) their ids."""
        return tuple(item.item_id for item in self.items)

    @cached_property
    def ok(self) -> np.ndarray:
        """(items,) which items were scored."""
        return np.array([status == "ok" for status in self.statuses], dtype=bool)

    @property
    def scored_values(self) -> np.ndarray:
        """Values of the items that were scored."""
        return self.values[self.ok]

    @property
    def scored_items(self) -> list[Any]:
        """The items that were scored."""
        return [item for item, ok in zip(self.items, self.ok, strict=True) if ok]

    def column(self, name: str) -> np.ndarray:
        """Further values of the items that were scored."""
        return self.columns.get(name, self.values)[self.ok]

    def of(self, attribute: str) -> np.ndarray:
        """An attribute of the items that were scored, such as their `category`."""
        return np.array([getattr(item, attribute) for item in self.scored_items])

    def rows(self) -> list[dict[str, Any]]:
        """One row per item, for a table; the main value, `measure`, follows the category."""
        return [
            {
                "metric": self.metric,
                "item": item.item_id,
                "template": item.template_id or item.item_id,
                "cluster": item.cluster_id,
                "category": item.category,
                self.measure: float(self.values[i]),
                **{name: float(values[i]) for name, values in self.columns.items()},
                "status": self.statuses[i],
                "reason": self.reasons[i],
            }
            for i, item in enumerate(self.items)
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
    score : the values of an item, including `measure`; raises Invalid for an item without score.
    """
    items = tuple(items)
    scored: list[Mapping[str, float]] = []
    findings: list[tuple[str, str | None]] = []
    for item in items:
        try:
            if item.unasked:
                raise Invalid("target_absent", item.unasked)
            values, finding = score(item), ("ok", None)
            if math.isnan(values[measure]):
                raise not_finite("an answer")
        except Invalid as error:
            values, finding = {}, (error.status, error.reason)
        scored.append(values)
        findings.append(finding)
    columns = {
        name: np.array([values.get(name, math.nan) for values in scored], dtype=np.float64)
        for name in dict.fromkeys(name for values in scored for name in values)
    }
    values = columns.pop(measure, np.full(len(items), math.nan))
    return ItemScores(metric, measure, items, values, *zip(*findings, strict=True), columns)


Formula = Callable[[np.ndarray], dict[str, np.ndarray]]


@dataclass(frozen=True)
class Measured:
    """Items with their values, and the measures computed from them.

    Attributes
    ----------
    formula : measures of (resamplings, scored items) weights.
    signs : (scored items,) the values whose signs the permutation test reverses; None without a
        test.
    tested : the tested mean, in words. tested_measures : measures that get this p-value.
    ends : ends of the scales of measures that are shares. limits : of other bounded measures.
    counts : the counts behind measures of counts.
    rests_on : measure -> (scored items,) the items that it is a share or mean of; for measures that
        are left out, all.
    outcomes : of answers in text, the shares of those that were read, refused, and so on.
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
    outcomes: Measured | None = None

    @cached_property
    def measures(self) -> dict[str, float]:
        """Every measure of the items, without resampling; NaN if no item was scored."""
        values_of = self.formula(np.ones((1, int(self.scores.ok.sum()))))
        return {name: float(values[0]) for name, values in values_of.items()}

    def numbers(self, measure: str) -> dict[str, int]:
        """The number of items behind a measure, and of clusters."""
        clusters = self.scores.of("cluster_id")
        rests = self.rests_on.get(measure, np.ones(len(clusters), dtype=bool))
        clusters = clusters[rests]
        return {"n_items": int(rests.sum()), "n_clusters": len({*clusters.tolist()})}

    @property
    def statistic(self) -> GroupedStatistic:
        """What tests and intervals need: clusters of items, crossed with templates and fills."""
        items = self.scores.items
        factors = [
            {
                item.item_id: f"{name} {item.factors[name]}"
                for item in items
                if item.factors.get(name)
            }
            for name in dict.fromkeys(name for item in items for name in item.factors)
        ]
        return grouped(
            ItemStatistic(self), {item.item_id: item.cluster_id for item in items}, factors
        )


class ItemStatistic(ResamplingStatistic):
    """A metric of weighted items.

    Null hypothesis of the test: what an item compares is exchangeable, so that both signs of its
    value are equally likely. `Measured.statistic` takes the clusters of test and bootstrap from the
    data: items of one cluster change sign together.
    """

    attributes = ()
    exchanged: ClassVar[str] = "signs"
    unit: ClassVar[str] = "units"
    attributes_fixed: ClassVar[str] = "units are not crossed with templates or fills"

    def __init__(self, measured: Measured) -> None:
        self.measured, ok = measured, measured.scores.ok
        names = tuple(measured.scores.of("item_id").tolist())
        cluster_of = np.where(ok, np.cumsum(ok) - 1, -1)
        self.targets = [Stratum(measured.scores.item_ids, cluster_of, names)]
        if measured.signs is not None:
            self.tested, self.tested_measures = measured.tested, measured.tested_measures

    def measures(
        self, targets: Sequence[np.ndarray], attributes: Sequence[np.ndarray] | None = None
    ) -> dict[str, np.ndarray]:
        """Every measure: (resamplings,)."""
        return self.measured.formula(targets[0])

    def test_statistic(self, targets: Sequence[np.ndarray]) -> np.ndarray:
        """The mean of the items' values under each choice of signs."""
        return targets[0] @ self.measured.signs / len(self.measured.signs)

    def limits(self, measure: str) -> tuple[float, float]:
        """The ends of the measure's scale."""
        scales = {**self.measured.ends, **self.measured.limits}
        return scales.get(measure, (-math.inf, math.inf))

    @property
    def untestable(self) -> str | None:
        """Why there is no test, or None."""
        if self.measured.signs is None:
            return "items are not paired: no exchange represents a fair model"
        tested = map(self.measured.numbers, self.measured.tested_measures)
        return None if all(one["n_items"] for one in tested) else "no scored item is compared"


# The kind of models whose answers are given in files; they may answer what a causal one is asked.
ANSWERS, CAUSAL = "answers", "causal"
# What every metric of items must define.
DECLARED = ("kind", "title", "citation", "measure_names")


class ItemMetric:
    """A metric of one kind of items; one class per file of `language_models.metrics`.

    Attributes
    ----------
    kind : of its queries. citation : the paper that defines it.
    larger_is_fairer, measures_bias, signed, readings : as of
        `fairflow.metrics.base_metric.BaseMetric`.
    measure_names : the measures that may be ranked.
    ability : the one of them that says how well a model does the task, larger being better;
        "" if there is no such measure.
    counted : the lists of an `ItemSet` whose words it counts in completions, a text that is
        counted having a word of each; none where it counts no words.
    defaults : its own parameters with their usual values.
    choices : parameter -> valid values, if they are few.
    without_effect_on_test : as of `BaseMetric`.
    asks : kind of model -> the request to it, see `needs`; parameters are in braces.
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
    readings: ClassVar[Mapping[str, Reading]] = {}
    asks: ClassVar[Mapping[str, str]] = {}
    item_value: ClassVar[str]

    def __init__(self, **parameters: Any) -> None:
        self.parameters = {**self.defaults, **parameters}
        self.name = type(self).__module__.rpartition(".")[2]

    def if_lost(self, item: Any) -> tuple[Mapping[str, float], ...]:
        """The values of a lost answer if it were fair, and if it were biased; () if none are."""
        return ()

    @classmethod
    def problems(cls, parameters: Mapping[str, Any], measure: str) -> list[str]:
        """The problems of the class, the parameters or the measure."""
        missing = [name for name in DECLARED if not hasattr(cls, name)]
        missing += [] if cls.asks or cls.needs is not ItemMetric.needs else ["needs"]
        by_item = cls.score is not ItemMetric.score or cls.read is not ItemMetric.read
        missing += [] if by_item or cls.measure is not ItemMetric.measure else ["measure"]
        if missing:
            return [f"{cls.__name__} must define {', '.join(missing)}"]
        if cls.kind not in KINDS:
            return [f"{cls.__name__}.kind must be one of {', '.join(KINDS)}, got {cls.kind!r}"]
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
        """The needs for `token_requests` with a model of this kind; empty if it has no score."""
        asked = self.asks.get(model_kind)
        return (asked.format(**self.parameters),) if asked else ()

    def query_problem(self, items: ItemSet) -> str | None:
        """Why these items cannot be measured, or None."""
        return None

    def measure(self, items: ItemSet, slice_: Sequence[Any], model_kind: str) -> Measured:
        """Score items.

        Parameters
        ----------
        slice_ : of `fairflow.language_models.slices.slices.Answers.read`.
        """
        return self.summary(self.scores(items.items, slice_, model_kind), items.items)

    def scores(
        self, items: Iterable[Any], texts: Iterable[ScoredText], model_kind: str = "masked"
    ) -> ItemScores:
        """The values of each item, from the texts that were scored for it."""
        answers = ScoredTexts(texts)
        return item_scores(
            self.name, self.item_value, items, lambda item: self.score(item, answers, model_kind)
        )

    def score(self, item: Any, texts: ScoredTexts, model_kind: str) -> Mapping[str, float]:
        """The values of one item, including `item_value`; raises Invalid without a score."""
        raise NotImplementedError

    def read(self, item: Any, text: str) -> Mapping[str, float]:
        """The values of one answer in text, including `item_value`.

        Raises
        ------
        Invalid : the text is no answer to the item; always, of a metric of likelihoods.
        """
        raise Invalid(
            "no_likelihood",
            f"{self.title} compares log-likelihoods, and the answer is a text: give likelihoods",
        )

    def summary(self, scores: ItemScores, items: Sequence[Any]) -> Measured:
        """The measures of all items; by default the mean of their values."""
        values = scores.scored_values
        return Measured(scores, lambda weights: {"mean": mean_of(values, weights)})

    @classmethod
    def reading(cls, measure: str, parameters: Mapping[str, Any]) -> Reading:
        """What a value says; an empty one if the metric does not tell."""
        return cls.readings.get(measure, Reading())

    @classmethod
    def scales_with_length(cls, parameters: Mapping[str, Any]) -> bool:
        """No vectors are used."""
        return False

    @classmethod
    def scales_with_dimension(cls, measure: str, parameters: Mapping[str, Any]) -> bool:
        """No vectors are used."""
        return False


def by_group(names: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The distinct names, the index of each name (n,), their counts, and the indicator (n, k).

    The product of weights and the indicator gives the weights of groups.
    """
    distinct, of, sizes = np.unique(names, return_inverse=True, return_counts=True)
    return distinct, of, sizes, (of[:, np.newaxis] == np.arange(len(distinct))).astype(float)


def mean_there(values: np.ndarray, there: np.ndarray) -> np.ndarray:
    """Mean of the values that are not NaN: (B, n), (B, n) -> (B,); NaN without any."""
    number = there.sum(axis=1)
    return np.where(there, values, 0).sum(axis=1) / np.where(number > 0, number, np.nan)


def mean_of(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted mean: (n,), (B, n) -> (B,); NaN if all weights are 0."""
    return weighted_means(np.asarray(values, dtype=float)[np.newaxis], weights)
