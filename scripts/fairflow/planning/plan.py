"""The plan: studies, and the models, queries and metrics that they use."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any

from fairflow.planning.catalogue import Catalogue, Download, downloads_of
from fairflow.planning.configuration import Audited
from fairflow.planning.models import (
    DERIVED,
    VECTORS,
    Model,
    PlannedLanguageModel,
    TrainingTexts,
)
from fairflow.planning.named_sets import NO_BENCHMARKS, ResidualBias, Sets
from fairflow.planning.queries import WORDS, ItemQuery, PlannedQuery
from fairflow.planning.validity import QUERY, SHORT_QUERY, Concepts, has_poles
from fairflow.queries.properties import read_property
from fairflow.scores.item_cell import ItemVariant
from fairflow.scores.variant import Cell, Slice
from fairflow.scores.word_cell import WordVariant
from fairflow.statistics.uncertainty import Statistics
from fairflow.studies.comparability import vectors_of
from fairflow.studies.tables import COMPARING, ITEMS, LANGUAGE, MULTIVERSE, VALIDITY

Criteria = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Entries:
    """The known and sound models, metrics and queries; each knows its kind."""

    models: Mapping[str, Model | PlannedLanguageModel]
    metrics: Mapping[str, WordVariant | ItemVariant]
    queries: Mapping[str, PlannedQuery | ItemQuery]

    @cached_property
    def vectors(self) -> dict[str, str]:
        """For each model: the name of its vectors, which several models may share."""
        others = {name: model.same_vectors for name, model in self.models.items()}
        return {name: vectors_of(name, others) for name in others}

    def is_applicable(self, cell: Cell) -> bool:
        """Whether the metric of a cell can measure its query on its model."""
        every = ((self.models, cell.model), (self.metrics, cell.metric), (self.queries, cell.query))
        if any(name not in entries for entries, name in every):
            return False
        model, metric, query = (entries[name] for entries, name in every)
        return metric.is_applicable(model, query)


@dataclass(frozen=True)
class Multiverse:
    """The sources of a study's further specifications.

    Attributes
    ----------
    studies : other studies whose scores are used.
    lists : version of word lists -> criterion -> queries.
    """

    studies: tuple[str, ...] = ()
    lists: Mapping[str, Criteria] = field(default_factory=dict)


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
    items : the number of items used of each query of items, None for all of them.
    before, after : a model, and the changed models that are compared with it; "" and ()
        if the study compares nothing.
    residual_bias : the tests of their residual bias; None if the study compares nothing.
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
    items: int | None = None
    before: str = ""
    after: tuple[str, ...] = ()
    residual_bias: ResidualBias | None = None
    subject: str = ""
    checks: str = ""
    multiverse: Multiverse | None = None
    published_folder: str = "config/published"

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
        """The kinds of further tables that it has."""
        has = {
            LANGUAGE: self.language_models,
            ITEMS: self.item_cells,
            COMPARING: self.after,
            MULTIVERSE: self.multiverse,
            VALIDITY: self.validity_slices,
        }
        return tuple(kind for kind, what in has.items() if what)

    @cached_property
    def cells(self) -> list[Cell]:
        """Every cell whose metric is applicable to model and query."""
        return [*filter(self.entries.is_applicable, self._named(self.metrics, self.queries))]

    @cached_property
    def control_cells(self) -> list[Cell]:
        """The cells of the control queries."""
        return [*filter(self.entries.is_applicable, self._control_named())]

    def _named(self, metrics: Iterable[str], queries: Iterable[str]) -> Iterator[Cell]:
        return map(Cell._make, product(self.models, metrics, queries))

    def _control_named(self) -> Iterator[Cell]:
        return self._named([self.control_metric], self.controls)

    @property
    def impossible(self) -> list[Cell]:
        """The cells of its names whose metric is not applicable."""
        every = (*self._named(self.metrics, self.queries), *self._control_named())
        possible = {*self.every_cell}
        return [cell for cell in every if cell not in possible]

    @property
    def every_cell(self) -> list[Cell]:
        """Cells with those of the control queries, each once."""
        return list(dict.fromkeys([*self.cells, *self.control_cells]))

    @property
    def slices(self) -> list[Slice]:
        """Every slice of vectors."""
        of_items = {*self.of_items}
        used = {cell.slice for cell in self.cells if cell.metric not in of_items}
        return [one for one in map(Slice._make, product(self.models, self.queries)) if one in used]

    @property
    def every_slice(self) -> list[Slice]:
        """Slices with those of control queries and of the words of validity, each once."""
        of_controls = (cell.slice for cell in self.control_cells)
        return list(dict.fromkeys([*self.slices, *of_controls, *self.validity_slices]))

    @property
    def contrasted_slices(self) -> list[Slice]:
        """The slices with two poles, attribute sets or pairs: their validity is tabulated."""
        if self.checks:
            return []
        queries = self.entries.queries
        return [one for one in self.slices if has_poles(queries[one.query])]

    @cached_property
    def validity_slices(self) -> list[Slice]:
        """The slices of the words of norms, base pairs and published sets."""
        models = dict.fromkeys(one.model for one in self.contrasted_slices)
        named = ((m, QUERY if m in self.static_models else SHORT_QUERY) for m in models)
        return [Slice(*one) for one in named if one[1] in self.entries.queries]

    @property
    def item_cells(self) -> list[Cell]:
        """The cells that measure items, not vectors."""
        of_items = {*self.of_items}
        return [cell for cell in self.cells if cell.metric in of_items]

    def item_slices(self, *kinds: str) -> list[Slice]:
        """The slices that items are scored from, of some kinds: "tokens", "completions"."""
        slices = dict.fromkeys(cell.slice for cell in self.item_cells)
        return [one for one in slices if self.entries.queries[one.query].slices in kinds]

    @cached_property
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
        """Whether it has several tables of word vectors, whose quality is shown with their bias."""
        return len(self.static_models) > 1

    @property
    def language_models(self) -> list[str]:
        """Its language models."""
        return [name for name in self.models if self.entries.models[name].kind != VECTORS]

    @property
    def networks(self) -> list[str]:
        """Its language models that can be run, and the origins of its derived ones."""
        origins = (self.entries.models[name].origin for name in self.language_models)
        return list(dict.fromkeys(model.name for model in origins if model.is_network))

    @property
    def concerns_language_models(self) -> bool:
        """Whether it names a model, metric or query of language models."""

        def known(entries: Mapping[str, Any], names: Iterable[str]) -> Iterator[Any]:
            return (entries[name] for name in names if name in entries)

        entries = self.entries
        return (
            any(model.kind != VECTORS for model in known(entries.models, self.models))
            or any(metric.of_items for metric in known(entries.metrics, self.metrics))
            or any(query.kind != WORDS for query in known(entries.queries, self.queries))
        )

    @property
    def labels(self) -> dict[str, str]:
        """Labels of models, metrics and queries."""
        entries = self.entries
        labels = {name: entries.models[name].label for name in self.models}
        # Other studies may contribute with their metrics.
        metrics = entries.metrics if self.multiverse else self.metrics
        labels |= {name: entries.metrics[name].label for name in metrics}
        labels |= {name: entries.queries[name].label for name in self.queries}
        return labels | self.control_labels | dict(self._further_labels())

    def _further_labels(self) -> Iterator[tuple[str, str]]:
        """Labels of figures for the sides and the property of a query, and a metric's scale of it.

        The keys are QUERY.sides (of the first pair, "x|y"), QUERY.property, METRIC.scale and, for
        the measure of ability, METRIC.ability.
        """
        for name, ability in self.ability.items():
            yield f"{name}.ability", ability["interpretation"] or ability["measure"]
        for name, variant in self.variants.items():
            if not variant.of_items and variant.property_scale:
                yield f"{name}.scale", variant.property_scale
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
        return {name: one.direction for name, one in self.variants.items()}

    @property
    def interpretations(self) -> dict[str, str]:
        """For each metric: the meaning of its values, in a few words."""
        return {name: one.interpretation for name, one in self.variants.items()}

    @property
    def signed(self) -> list[str]:
        """The metrics whose value 0 means no association."""
        return [name for name, direction in self.directions.items() if direction["signed"]]

    @property
    def of_items(self) -> list[str]:
        """The metrics that measure items, not vectors."""
        metrics = self.entries.metrics
        return [name for name in self.metrics if name in metrics and metrics[name].of_items]

    @property
    def ability(self) -> dict[str, dict[str, str]]:
        """For each metric of items that has one: the measure of how well a model does the task.

        With what its values say.
        """
        found = {}
        for name in self.of_items:
            variant = self.entries.metrics[name]
            if measure := variant.metric_class.ability:
                said = variant.metric_class.interpretation(measure, variant.parameters)
                found[name] = {"measure": measure, "interpretation": said}
        return found

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


@dataclass(frozen=True)
class Plan:
    """Everything that the configured studies need, by name; each entry knows its kind.

    Attributes
    ----------
    item_files : of the user's, which queries of items and completions are read from.
    uncompared : file of published numbers that no study of the run reads -> the study of another
        run that reads it and the command of that run ("" for none), the reason, and of_models, the
        reasons for the numbers of some models.
    archived : slices replace the models, so that no model is fetched, trained or converted.
    quality : the benchmarks that tell how good tables of word vectors are.
    audited : the model that the only study is about, if the command line names one.
    concepts : norms, base pairs and published word sets, see `fairflow.planning.validity`.
    """

    seed: int
    models: Mapping[str, Model | PlannedLanguageModel]
    metrics: Mapping[str, WordVariant | ItemVariant]
    queries: Mapping[str, PlannedQuery | ItemQuery]
    lookups: Catalogue
    word_sets: Sets
    studies: Mapping[str, Study]
    statistics: Statistics
    uncompared: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    contradictions: tuple[Mapping[str, str], ...] = ()
    item_files: tuple[str, ...] = ()
    archived: bool = False
    quality: ResidualBias = NO_BENCHMARKS
    audited: Audited | None = None
    concepts: Concepts = field(default_factory=dict)

    def of(self, studies: Iterable[str]) -> Plan:
        """The plan of some of the studies alone."""
        return replace(self, studies={name: self.studies[name] for name in studies})

    @property
    def answers(self) -> str:
        """The folder of words, answers and scores, which audits do not share with other runs."""
        return self.audited.folder if self.audited else "results"

    @cached_property
    def downloads(self) -> dict[str, Download]:
        """Every file that can be fetched, by name; none in an unpacked archive."""
        if self.archived:
            return {}
        lexicons = [e["lexicon"] for e in self.word_sets.values() if "lexicon" in e]
        models = [m.entry for m in self.models.values() if "sources" in m.entry]
        items = [q.published for q in self.item_queries.values() if q.published]
        return downloads_of((*models, *lexicons, *self.benchmarks.values(), *items))

    @cached_property
    def item_queries(self) -> dict[str, ItemQuery]:
        """The queries that are made of items."""
        return {n: query for n, query in self.queries.items() if isinstance(query, ItemQuery)}

    @property
    def readable_items(self) -> list[str]:
        """Queries whose items can be read; an unpacked archive has no published files."""
        read = self.item_queries.items()
        return [name for name, query in read if not (self.archived and query.published)]

    @property
    def benchmarks(self) -> dict[str, Mapping[str, Any]]:
        """The benchmarks of all studies by name."""
        studies = self.studies.values()
        asked = [study.residual_bias for study in studies if study.residual_bias]
        asked += [self.quality] if any(study.has_rivals for study in studies) else []
        return {name: entry for each in asked for name, entry in each.benchmarks.items()}

    @property
    def stores(self) -> tuple[str, ...]:
        """The models that can be made here; none in an unpacked archive, which holds slices."""
        return () if self.archived else tuple(self.static_models)

    @property
    def convertible(self) -> tuple[str, ...]:
        """The stores with a file to convert."""
        return tuple(name for name in self.stores if self.models[name].transform is None)

    @property
    def derived(self) -> tuple[str, ...]:
        """The stores that are derived from another model."""
        return tuple(name for name in self.stores if self.models[name].transform)

    @cached_property
    def training_texts(self) -> dict[str, TrainingTexts]:
        """The texts that transforms of language models learn from, by the name of their file."""
        texts = (self.models[name].training for name in self.to_make(DERIVED))
        return {each.name: each for each in texts}

    def models_from(self, *sources: str) -> list[str]:
        """Names of the language models from some of `language_model.SOURCES`."""
        return [name for name in self.language_models if self.models[name].source in sources]

    def to_make(self, *sources: str) -> list[str]:
        """Such models that a rule may fetch, unpack or derive; empty in an unpacked archive."""
        return [] if self.archived else self.models_from(*sources)

    @property
    def static_models(self) -> list[str]:
        """Names of the models that are tables of word vectors."""
        return [name for name, model in self.models.items() if model.kind == VECTORS]

    @property
    def language_models(self) -> list[str]:
        """Names of the language models."""
        return [name for name, model in self.models.items() if model.kind != VECTORS]

    def metrics_of(self, items: bool) -> list[str]:
        """Names of the variants that measure items, or of those that measure vectors.

        Of variants with one base variant only the one that score files are named after.
        """
        names = dict.fromkeys(self.base_variants.values())
        return [name for name in names if self.metrics[name].of_items == items]

    @cached_property
    def base_variants(self) -> dict[str, str]:
        """Variant -> the first with the same base variant, which names the score files."""
        first: dict[str, str] = {}
        found = {}
        for name, variant in self.metrics.items():
            definition = name if variant.of_items else variant.base_variant.definition
            alike = json.dumps(definition, sort_keys=True, default=str)
            found[name] = first.setdefault(alike, name)
        return found

    def scored(self, cells: Iterable[Cell]) -> list[Cell]:
        """The cells whose score files hold the scores of these, each once."""
        names = self.base_variants
        return list(dict.fromkeys(cell._replace(metric=names[cell.metric]) for cell in cells))

    def queries_of(self, *slices: str) -> list[str]:
        """Names of the queries whose answers are "slices" of vectors, "tokens", "completions"."""
        return [name for name, query in self.queries.items() if query.slices in slices]

    @cached_property
    def cells(self) -> list[Cell]:
        """The cells that are scored for all studies, each once."""
        return self.scored(self.of_studies(lambda study: study.every_cell))

    @property
    def figures(self) -> list[str]:
        """'study/figure' of every figure."""
        return [f"{s.name}/{figure}" for s in self.studies.values() for figure in s.figures]

    def of_studies(self, of_study: Callable[[Study], Iterable[Any]]) -> list[Any]:
        """What a function returns for the studies, each value once."""
        return list(
            dict.fromkeys(one for study in self.studies.values() for one in of_study(study))
        )
