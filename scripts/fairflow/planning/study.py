"""A study: the cells that it asks for, and what its tables need to know of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

from fairflow.planning.catalogue import VECTORS
from fairflow.planning.entries import Entries
from fairflow.planning.query import WORDS
from fairflow.scores.cell import Cell, Slice
from fairflow.studies.comparability import vectors_of
from fairflow.studies.distinct_tests import Sameness

PUBLISHED_FOLDER = "config/published"


def as_list(value: str | list[str]) -> list[str]:
    """One name or several, as several."""
    return [value] if isinstance(value, str) else list(value)


@dataclass(frozen=True)
class Study:
    """Models x metrics x queries, the queries grouped by criterion.

    Attributes
    ----------
    absent : model that the study names -> why it is not in this run.
    skips_absent : leave out the published numbers of absent models, too.
    controls : queries that any sensible vectors show, see `fairflow.studies.controls`;
        control_metric : the variant that they are measured by.
    entries : what its names stand for.
    """

    name: str
    title: str
    models: tuple[str, ...]
    metrics: tuple[str, ...]
    criteria: Mapping[str, tuple[str, ...]]
    aggregation: str
    minimum_coverage: float
    figures: tuple[str, ...]
    entries: Entries = field(repr=False, compare=False)
    published: Mapping[str, Any] = field(default_factory=dict)
    statistics: bool = True
    families: tuple[str, ...] = ("criterion", "metric", "model")
    absent: Mapping[str, str] = field(default_factory=dict)
    skips_absent: bool = False
    controls: tuple[str, ...] = ()
    control_metric: str = ""
    published_folder: str = PUBLISHED_FOLDER

    @property
    def queries(self) -> tuple[str, ...]:
        """Every query, each once."""
        return tuple(dict.fromkeys(q for group in self.criteria.values() for q in group))

    @property
    def comparison(self) -> dict[str, Any]:
        """How its models are compared: aggregation, directions and minimum_coverage."""
        return {
            "aggregation": self.aggregation,
            "directions": self.directions,
            "minimum_coverage": self.minimum_coverage,
        }

    @cached_property
    def cells(self) -> list[Cell]:
        """Every cell in which the metric fits model and query."""
        return [cell for cell in self._named_cells if self.entries.fit(cell)]

    @cached_property
    def control_cells(self) -> list[Cell]:
        """The cells of the control queries."""
        return [cell for cell in self._named_control_cells if self.entries.fit(cell)]

    @property
    def _named_cells(self) -> Iterator[Cell]:
        return map(Cell._make, product(self.models, self.metrics, self.queries))

    @property
    def _named_control_cells(self) -> Iterator[Cell]:
        return map(Cell._make, product(self.models, [self.control_metric], self.controls))

    @property
    def impossible(self) -> list[Cell]:
        """The cells that its names would make, but in which the metric does not fit."""
        every = (*self._named_cells, *self._named_control_cells)
        return [cell for cell in every if not self.entries.fit(cell)]

    @property
    def every_cell(self) -> list[Cell]:
        """Cells with those of the control queries, each once."""
        return list(dict.fromkeys([*self.cells, *self.control_cells]))

    @property
    def slices(self) -> list[Slice]:
        """Every slice of vectors."""
        used = {cell.slice for cell in self.cells if not self.entries.metrics[cell.metric].of_items}
        return [one for one in map(Slice._make, product(self.models, self.queries)) if one in used]

    @property
    def every_slice(self) -> list[Slice]:
        """Slices with those of the control queries, each once."""
        return list(dict.fromkeys([*self.slices, *(cell.slice for cell in self.control_cells)]))

    @property
    def item_cells(self) -> list[Cell]:
        """The cells that measure items, not vectors."""
        return [cell for cell in self.cells if self.entries.metrics[cell.metric].of_items]

    def item_slices(self, *kinds: str) -> list[Slice]:
        """The slices that items are scored from, of some kinds: "tokens", "completions"."""
        slices = dict.fromkeys(cell.slice for cell in self.item_cells)
        return [one for one in slices if self.entries.queries[one.query].slices in kinds]

    @property
    def embedded_slices(self) -> list[Slice]:
        """The slices of vectors that language models give."""
        return [one for one in self.every_slice if one.model in self.language_models]

    @property
    def static_models(self) -> list[str]:
        """Its models that are tables of word vectors."""
        return [name for name in self.models if self.entries.models[name].kind == VECTORS]

    @property
    def language_models(self) -> list[str]:
        """Its language models."""
        return [name for name in self.models if self.entries.models[name].kind != VECTORS]

    @property
    def networks(self) -> list[str]:
        """Those of them that can be run."""
        return [name for name in self.language_models if self.entries.models[name].is_network]

    @property
    def concerns_language_models(self) -> bool:
        """Whether it names a model, metric or query of language models."""
        entries = self.entries
        models = (entries.models[name] for name in self.models if name in entries.models)
        metrics = (entries.metrics[name] for name in self.metrics if name in entries.metrics)
        queries = (entries.queries[name] for name in self.queries if name in entries.queries)
        return (
            any(model.kind != VECTORS for model in models)
            or any(metric.of_items for metric in metrics)
            or any(query.kind != WORDS for query in queries)
        )

    @property
    def labels(self) -> dict[str, str]:
        """Labels of models, metrics and queries."""
        entries = self.entries
        labels = {name: entries.models[name].label for name in self.models}
        labels |= {name: entries.metrics[name].label for name in self.metrics}
        labels |= {name: entries.queries[name].label for name in self.queries}
        return labels | self.control_labels

    @property
    def control_labels(self) -> dict[str, str]:
        """Labels of the control queries."""
        return {query: self.entries.queries[query].label for query in self.controls}

    @property
    def directions(self) -> dict[str, dict[str, bool]]:
        """For each metric: are absolute values taken, and is larger fairer?"""
        return {name: self.entries.metrics[name].direction for name in self.metrics}

    @property
    def signed(self) -> list[str]:
        """The metrics whose value 0 means no association."""
        return [name for name, direction in self.directions.items() if direction["signed"]]

    @property
    def scaling(self) -> dict[str, bool]:
        """For each metric: does its value change with the length of vectors?"""
        return {name: self.entries.metrics[name].grows_with_length for name in self.metrics}

    @property
    def of_items(self) -> list[str]:
        """The metrics that measure items, not vectors."""
        return [name for name in self.metrics if self.entries.metrics[name].of_items]

    @property
    def vectors(self) -> dict[str, str]:
        """For each model: the name of its vectors, which several models may share."""
        others = {name: model.same_vectors for name, model in self.entries.models.items()}
        return {model: vectors_of(model, others) for model in self.models}

    @property
    def sameness(self) -> Sameness:
        """Which models and metrics have vectors and statistics in common."""
        statistics = {name: self.entries.metrics[name].statistic for name in self.metrics}
        return Sameness(statistics, self.vectors, self.scaling)

    def published_files(self, *kinds: str) -> dict[str, list[str]]:
        """Files of published numbers: `scores`, which are ranked, or `others`."""
        names = [name for kind in kinds for name in as_list(self.published.get(kind, []))]
        return (
            {"published": [f"{self.published_folder}/{name}.csv" for name in names]}
            if names
            else {}
        )

    @property
    def stand_ins(self) -> dict[str, str]:
        """Published model -> the model of this run that is compared with it."""
        named = {model: model for model in self.models} | dict(self.published.get("models", {}))
        present_of = {
            published: [model for model in as_list(candidates) if model in self.models]
            for published, candidates in named.items()
        }
        return {published: present[0] for published, present in present_of.items() if present}

    @property
    def only_published(self) -> dict[str, str]:
        """Model, published or of the study -> why no model of this run stands for it."""
        reasons = {
            published: "; ".join(f"{m} is {self.absent[m]}" for m in as_list(candidates))
            for published, candidates in self.published.get("models", {}).items()
            if set(as_list(candidates)) <= set(self.absent)
        }
        return {model: f"{model} is {why}" for model, why in self.absent.items()} | reasons

    @property
    def left_out(self) -> list[str]:
        """Published models whose numbers the study leaves out with the models."""
        if not self.skips_absent:
            return []
        candidates = self.published.get("models", {})
        stood_in = self.stand_ins
        absent = {m for m in self.absent if m not in stood_in}
        unmatched = {
            p: set(as_list(models)) for p, models in candidates.items() if p not in stood_in
        }
        return sorted(absent | {p for p, models in unmatched.items() if models & absent})
