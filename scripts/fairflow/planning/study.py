"""A study: the cells that it asks for, and what its tables need to know of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

from fairflow.planning.models import VECTORS, Model, PlannedLanguageModel
from fairflow.planning.named_sets import Remains
from fairflow.planning.queries import WORDS, ItemQuery, PlannedQuery
from fairflow.queries.properties import read_property
from fairflow.scores.item_cell import ItemVariant
from fairflow.scores.variant import Cell, Slice
from fairflow.scores.word_cell import WordVariant
from fairflow.studies.comparability import vectors_of
from fairflow.studies.tables import COMPARING, ITEMS, LANGUAGE, MULTIVERSE

Criteria = Mapping[str, tuple[str, ...]]
PUBLISHED_FOLDER = "config/published"


@dataclass(frozen=True)
class Entries:
    """Each entry knows its kind; what is unknown or faulty is left out."""

    models: Mapping[str, Model | PlannedLanguageModel]
    metrics: Mapping[str, WordVariant | ItemVariant]
    queries: Mapping[str, PlannedQuery | ItemQuery]

    @cached_property
    def vectors(self) -> dict[str, str]:
        """For each model: the name of its vectors, which several models may share."""
        others = {name: model.same_vectors for name, model in self.models.items()}
        return {name: vectors_of(name, others) for name in others}

    def fit(self, cell: Cell) -> bool:
        """Whether the metric of a cell can measure its query on its model."""
        model = self.models.get(cell.model)
        metric = self.metrics.get(cell.metric)
        query = self.queries.get(cell.query)
        return bool(model and metric and query and metric.fits(model, query))


@dataclass(frozen=True)
class Multiverse:
    """Where a study's further specifications come from.

    Attributes
    ----------
    studies : whose scores are used besides. lists : version of word lists -> criterion -> queries.
    """

    studies: tuple[str, ...] = ()
    lists: Mapping[str, Criteria] | None = None


def as_list(value: str | list[str]) -> list[str]:
    """One name or several, as several."""
    return [value] if isinstance(value, str) else list(value)


@dataclass(frozen=True)
class Study:
    """Models x metrics x queries, the queries grouped by criterion.

    Attributes
    ----------
    absent : model that the study names -> why it is not in this run. absent_queries : the same of
        queries of published items.
    skips_absent : leave out the published numbers of absent models, too.
    controls : queries that any sensible vectors show, see `fairflow.studies.comparability`;
        control_metric : the variant that they are measured by.
    items : how many of each query of items are asked about, None for all of them.
    before, after : a model, and those that are compared with it as what became of it; "" and none
        where nothing is.
    remains : what else is measured of them; None where nothing is compared.
    subject : the model that it is about, "" where it is about all of them.
    checks : "documentation" where it only repeats the numbers of a page, else "".
    multiverse : where further specifications come from; None where one alone is looked at.
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
    families: tuple[str, ...] = ("model",)
    absent: Mapping[str, str] = field(default_factory=dict)
    absent_queries: Mapping[str, str] = field(default_factory=dict)
    skips_absent: bool = False
    controls: tuple[str, ...] = ()
    control_metric: str = ""
    items: int | None = None
    before: str = ""
    after: tuple[str, ...] = ()
    remains: Remains | None = None
    subject: str = ""
    checks: str = ""
    multiverse: Multiverse | None = None
    published_folder: str = PUBLISHED_FOLDER

    @property
    def queries(self) -> tuple[str, ...]:
        """Every query, each once."""
        return tuple(dict.fromkeys(q for group in self.criteria.values() for q in group))

    @property
    def variants(self) -> dict[str, WordVariant | ItemVariant]:
        """Its metrics by name."""
        return {name: self.entries.metrics[name] for name in self.metrics}

    @property
    def kinds(self) -> tuple[str, ...]:
        """What it is besides a study of models: which further tables it has."""
        has = {
            LANGUAGE: self.language_models,
            ITEMS: self.item_cells,
            COMPARING: self.after,
            MULTIVERSE: self.multiverse,
        }
        return tuple(kind for kind, what in has.items() if what)

    @property
    def static_compared(self) -> list[str]:
        """The model before and those after that are tables of word vectors; none without it."""
        compared = [m for m in (self.before, *self.after) if m in self.static_models]
        return compared if self.before in compared else []

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
    def item_queries(self) -> list[str]:
        """The queries that these cells ask, each once."""
        return list(dict.fromkeys(cell.query for cell in self.item_cells))

    @property
    def embedded_slices(self) -> list[Slice]:
        """The slices of vectors that language models give."""
        return [one for one in self.every_slice if one.model in self.language_models]

    @property
    def static_models(self) -> list[str]:
        """Its models that are tables of word vectors."""
        return [name for name in self.models if self.entries.models[name].kind == VECTORS]

    @property
    def has_rivals(self) -> bool:
        """Whether it has several tables of word vectors, whose quality stands beside their bias."""
        return len(self.static_models) > 1

    @property
    def language_models(self) -> list[str]:
        """Its language models."""
        return [name for name in self.models if self.entries.models[name].kind != VECTORS]

    @property
    def networks(self) -> list[str]:
        """Those of them that can be run, and those that others are derived from."""
        origins = (self.entries.models[name].origin for name in self.language_models)
        return list(dict.fromkeys(model.name for model in origins if model.is_network))

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
        # Other studies may contribute by metrics of theirs.
        metrics = entries.metrics if self.multiverse else self.metrics
        labels |= {name: entries.metrics[name].label for name in metrics}
        labels |= {name: entries.queries[name].label for name in self.queries}
        return labels | self.control_labels | dict(self._further_labels())

    def _further_labels(self) -> Iterator[tuple[str, str]]:
        """What figures call the sides and the property of a query, and a metric's scale of it.

        Under QUERY.sides (of the first pair, "x|y"), QUERY.property, METRIC.scale and, what values
        of the measure of ability say, METRIC.ability.
        """
        for name, ability in self.ability.items():
            yield f"{name}.ability", ability["reading"] or ability["measure"]
        for name in self.metrics:
            variant = self.entries.metrics[name]
            if isinstance(variant, WordVariant) and (shown := variant.property_scale):
                yield f"{name}.scale", shown
        for name in self.queries:
            query = self.entries.queries[name]
            if pairs := getattr(query, "declared", {}).get("pairs"):
                sides = [word.replace("_", " ") for word in pairs[0]]
                yield f"{name}.sides", "|".join(sides) + (", ..." if len(pairs) > 1 else "")
            if file := getattr(query, "property_file", ""):
                yield f"{name}.property", read_property(file).label

    @property
    def control_labels(self) -> dict[str, str]:
        """Labels of the control queries."""
        return {query: self.entries.queries[query].label for query in self.controls}

    @property
    def directions(self) -> dict[str, dict[str, bool]]:
        """For each metric: are absolute values taken, and is larger fairer?"""
        return {name: self.entries.metrics[name].direction for name in self.metrics}

    @property
    def readings(self) -> dict[str, str]:
        """For each metric: what its values say, in a few words."""
        return {name: self.entries.metrics[name].reading for name in self.metrics}

    @property
    def signed(self) -> list[str]:
        """The metrics whose value 0 means no association."""
        return [name for name, direction in self.directions.items() if direction["signed"]]

    @property
    def of_items(self) -> list[str]:
        """The metrics that measure items, not vectors."""
        return [name for name in self.metrics if self.entries.metrics[name].of_items]

    @property
    def ability(self) -> dict[str, dict[str, str]]:
        """For each metric of items that has one: the measure of how well a model does the task.

        With what its values say.
        """
        told = {}
        for name in self.of_items:
            variant = self.entries.metrics[name]
            if measure := variant.declared.ability:
                reading = variant.declared.reading(measure, variant.parameters)
                told[name] = {"measure": measure, "reading": reading}
        return told

    @property
    def scored_metrics(self) -> list[str]:
        """The metrics that have a cell."""
        scored = {cell.metric for cell in self.cells}
        return [name for name in self.metrics if name in scored]

    @property
    def vectors(self) -> dict[str, str]:
        """For each model: the name of its vectors, which several models may share."""
        return {model: self.entries.vectors.get(model, model) for model in self.models}

    @property
    def derived(self) -> dict[str, str]:
        """Model -> the model of the study that it comes of, with vectors in other directions."""
        came = dict.fromkeys(self.after, self.before)
        vectors = self.vectors
        # The first model of each vectors.
        first = {name: other for other, name in reversed(vectors.items())}
        for model, own in vectors.items():
            lineage = reversed(self.entries.models[model].lineage)
            names = (self.entries.vectors.get(name, name) for name in lineage)
            nearest = next((name for name in names if name in first and name != own), None)
            if nearest:
                came[model] = first[nearest]
        return came

    def published_files(self, *kinds: str) -> list[str]:
        """Files of published numbers: `scores`, which are ranked, or `others`."""
        names = [name for kind in kinds for name in as_list(self.published.get(kind, []))]
        return [f"{self.published_folder}/{name}.csv" for name in names]
