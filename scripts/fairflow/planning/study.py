"""A study of the plan: its models, metrics and queries, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, TypeVar

from fairflow.planning.models import VECTORS, Lineage
from fairflow.planning.queries import AnyQuery, PlannedQuery
from fairflow.scores.variant import Cell, Slice, Variant
from fairflow.studies.comparability import vectors_of
from fairflow.studies.tables import COMPARING

View = TypeVar("View")


@dataclass(frozen=True)
class Entries:
    """The known and sound models, metrics and queries; each knows its kind."""

    models: Mapping[str, Lineage]
    metrics: Mapping[str, Variant]
    queries: Mapping[str, AnyQuery]

    @cached_property
    def vectors(self) -> dict[str, str]:
        """For each model: the name of its vectors, which several models may share."""
        others = {name: model.same_vectors for name, model in self.models.items()}
        return {name: vectors_of(name, others) for name in others}

    def is_applicable(self, cell: Cell) -> bool:
        """Whether the model of a cell knows the language of its query, and the metric fits both."""
        model, metric = self.models.get(cell.model), self.metrics.get(cell.metric)
        query = self.queries.get(cell.query)
        if not (model and metric and query):
            return False
        return model.speaks(query.language) and metric.is_applicable(model, query)


def as_list(value: str | list[str]) -> list[str]:
    """One name or several, as several."""
    return [value] if isinstance(value, str) else list(value)


class Part:
    """What a study has of a capability.

    Attributes
    ----------
    slices : of vectors, from which its tables alone are made.
    adjusts_own_tests : whether these tables correct p-values of the study themselves.
    names_every_metric : whether they name metrics of other studies.
    heading : of a report on such studies alone, "" for the usual one.
    """

    slices: Sequence[Slice] = ()
    adjusts_own_tests: bool = False
    names_every_metric: bool = False
    heading: str = ""


@dataclass(frozen=True)
class Study:
    """Models x metrics x queries, the queries grouped by criterion.

    Attributes
    ----------
    absent : model that the study names -> why it is not in this run. absent_queries : the same of
        queries whose contents are fetched.
    skips_absent : leave out the published numbers of absent models, too.
    controls : queries that any sensible vectors show, see `fairflow.studies.comparability`;
        control_metric : the variant that they are measured by.
    before, after : a model, and the changed models that are compared with it; "" and ()
        if the study compares nothing.
    subject : the model that it is about, "" where it is about all of them.
    checks : "documentation" where it only repeats the numbers of a page, else "".
    ranks_every : whether every model is ranked by every metric, too, as WEFE does.
    parts : what it has of capabilities, by the kind of their tables, see `planning.extension`.
    entries : what its names stand for.
    """

    name: str
    title: str
    models: tuple[str, ...]
    metrics: tuple[str, ...]
    criteria: Mapping[str, tuple[str, ...]]
    aggregation: str
    figures: tuple[str, ...]
    entries: Entries = field(repr=False, compare=False)
    minimum_coverage: float = 0.5
    published: Mapping[str, Any] = field(default_factory=dict)
    statistics: bool = True
    families: tuple[str, ...] = ("model",)
    absent: Mapping[str, str] = field(default_factory=dict)
    absent_queries: Mapping[str, str] = field(default_factory=dict)
    skips_absent: bool = False
    controls: tuple[str, ...] = ()
    control_metric: str = ""
    before: str = ""
    after: tuple[str, ...] = ()
    subject: str = ""
    checks: str = ""
    question: str = ""
    ranks_every: bool = False
    parts: Mapping[str, Part] = field(default_factory=dict)
    published_folder: str = "config/published"
    _views: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def seen_as(self, view: Callable[[Study], View]) -> View:
        """What a capability makes of the study, made once."""
        if view not in self._views:
            self._views[view] = view(self)
        return self._views[view]

    @property
    def queries(self) -> tuple[str, ...]:
        """Every query, each once."""
        return tuple(dict.fromkeys(q for group in self.criteria.values() for q in group))

    @property
    def variants(self) -> dict[str, Variant]:
        """Its metrics by name."""
        return {name: self.entries.metrics[name] for name in self.metrics}

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of further tables that it has."""
        return (COMPARING, *self.parts) if self.after else (*self.parts,)

    @cached_property
    def cells(self) -> list[Cell]:
        """Every cell whose metric is applicable to model and query."""
        return [*filter(self.entries.is_applicable, self._named(self.metrics, self.queries))]

    @cached_property
    def control_cells(self) -> list[Cell]:
        """The cells of the control queries."""
        named = self._named([self.control_metric], self.controls)
        return [*filter(self.entries.is_applicable, named)]

    def _named(self, metrics: Iterable[str], queries: Iterable[str]) -> Iterator[Cell]:
        return map(Cell._make, product(self.models, metrics, queries))

    @property
    def impossible(self) -> list[Cell]:
        """The cells of its names whose metric is not applicable."""
        controls = self._named([self.control_metric], self.controls)
        every, possible = self._named(self.metrics, self.queries), {*self.every_cell}
        return [cell for cell in (*every, *controls) if cell not in possible]

    @property
    def unspoken(self) -> dict[str, list[str]]:
        """Model -> the queries of the study in languages that it does not know, if any."""
        found = {
            model: [q for q in self.queries if not known.speaks(self.entries.queries[q].language)]
            for model, known in ((name, self.entries.models[name]) for name in self.models)
        }
        return {model: queries for model, queries in found.items() if queries}

    @property
    def every_cell(self) -> list[Cell]:
        """Cells with those of the control queries, each once."""
        return list(dict.fromkeys([*self.cells, *self.control_cells]))

    @property
    def slices(self) -> list[Slice]:
        """Every slice of vectors."""
        others = {*self.of_others}
        used = {cell.slice for cell in self.cells if cell.metric not in others}
        return [one for one in map(Slice._make, product(self.models, self.queries)) if one in used]

    @property
    def every_slice(self) -> list[Slice]:
        """Slices with those of control queries and of capabilities, each once."""
        of_controls = (cell.slice for cell in self.control_cells)
        return list(dict.fromkeys([*self.slices, *of_controls, *self.further_slices]))

    @property
    def further_slices(self) -> list[Slice]:
        """The slices that only tables of capabilities are made from."""
        return [one for part in self.parts.values() for one in part.slices]

    @property
    def static_models(self) -> list[str]:
        """Its models that are tables of word vectors."""
        return [name for name in self.models if self.entries.models[name].kind == VECTORS]

    @property
    def labels(self) -> dict[str, str]:
        """Labels of models, metrics and queries."""
        entries = self.entries
        labels = {name: entries.models[name].label for name in self.models}
        every = any(part.names_every_metric for part in self.parts.values())
        metrics = entries.metrics if every else self.metrics
        labels |= {name: entries.metrics[name].label for name in metrics}
        labels |= {name: entries.queries[name].label for name in self.queries}
        return labels | self.control_labels

    @property
    def names(self) -> dict[str, dict[str, Any]]:
        """All that figures name, in plain values."""
        return {n: getattr(self, n) for n in ("labels", "readings", "query_parts")}

    @property
    def query_parts(self) -> dict[str, dict[str, Any]]:
        """For each query of vectors what figures name: targets and attributes, names of its sets.

        sides : of the direction of its pairs, the words of the first pair; property : the label of
        its property. Both are empty where it declares none.
        """
        planned = {n: self.entries.queries[n] for n in (*self.queries, *self.controls)}
        return {n: query.parts for n, query in planned.items() if isinstance(query, PlannedQuery)}

    @property
    def control_labels(self) -> dict[str, str]:
        """Labels of the control queries."""
        return {query: self.entries.queries[query].label for query in self.controls}

    @property
    def directions(self) -> dict[str, dict[str, bool]]:
        """For each metric: are absolute values taken, and is larger fairer?"""
        return {name: one.direction for name, one in self.variants.items()}

    @property
    def readings(self) -> dict[str, dict[str, Any]]:
        """For each metric: what its values say (the facts of `Reading`), in plain values.

        With how figures write the scale of a property, and what its measure of ability says; "".
        """
        found = {}
        for name, one in self.variants.items():
            able = self.ability.get(name, {})
            said = able.get("interpretation") or able.get("measure", "")
            found[name] = {**one.reading.facts, "scale": one.property_scale, "ability": said}
        return found

    @property
    def heading(self) -> str:
        """Of a report on such studies alone; "" for the usual one."""
        return next((part.heading for part in self.parts.values() if part.heading), "")

    @property
    def signed(self) -> list[str]:
        """The metrics whose value 0 means no association."""
        return [name for name, direction in self.directions.items() if direction["signed"]]

    @property
    def of_others(self) -> list[str]:
        """The metrics that do not measure vectors of words."""
        metrics = self.entries.metrics
        return [name for name in self.metrics if name in metrics and not metrics[name].of_words]

    @property
    def ability(self) -> dict[str, Mapping[str, str]]:
        """For each metric that has one: the measure of how well a model does the task.

        With what its values say.
        """
        known = {name: one for name, one in self.entries.metrics.items() if name in self.metrics}
        return {name: known[name].ability for name in self.metrics if known[name].ability}

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
        """Maps each derived model to its base model in this study, a model with other vectors."""
        came = dict.fromkeys(self.after, self.before)
        vectors = self.vectors
        # The first model with each of the vectors.
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
