"""The plan: the models, queries, metrics and studies of a configuration, and what these use."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from fairflow.planning.catalogue import Catalogue, Download, downloads_of
from fairflow.planning.configuration import Audited
from fairflow.planning.models import DERIVED, VECTORS, Model, PlannedLanguageModel, TrainingTexts
from fairflow.planning.named_sets import NO_BENCHMARKS, Remains, Sets
from fairflow.planning.queries import ItemQuery, PlannedQuery
from fairflow.planning.study import PUBLISHED_FOLDER, Study
from fairflow.scores.item_cell import ItemVariant
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import WordVariant
from fairflow.statistics.uncertainty import Statistics


@dataclass(frozen=True)
class UnreadNumbers:
    """A file of published numbers that no study of a run reads.

    Attributes
    ----------
    study : that reads it in another run; "" where none does.
    reason : why nothing is compared. of_models : published model -> the reason of its numbers.
    """

    study: str = ""
    reason: str = "no study of this run reads this file"
    of_models: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """Everything that the configured studies need, by name; each entry knows its kind.

    Attributes
    ----------
    item_files : of the user's, which queries of items and completions are read from.
    unread_numbers : file of published numbers -> the study outside of the plan that reads it.
    archived : slices stand in for the models, none of which is fetched, trained or converted.
    quality : the benchmarks that tell how good tables of word vectors are.
    audited : the model that the only study is about, if the command line names one.
    """

    seed: int
    models: Mapping[str, Model | PlannedLanguageModel]
    metrics: Mapping[str, WordVariant | ItemVariant]
    queries: Mapping[str, PlannedQuery | ItemQuery]
    lookups: Catalogue
    word_sets: Sets
    studies: Mapping[str, Study]
    statistics: Statistics
    published_numbers: tuple[str, ...] = ()
    unread_numbers: Mapping[str, UnreadNumbers] = field(default_factory=dict)
    contradictions: tuple[Mapping[str, str], ...] = ()
    item_files: tuple[str, ...] = ()
    archived: bool = False
    published_folder: str = PUBLISHED_FOLDER
    quality: Remains = NO_BENCHMARKS
    audited: Audited | None = None

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

    @property
    def item_queries(self) -> dict[str, ItemQuery]:
        """The queries that are made of items."""
        return {n: query for n, query in self.queries.items() if isinstance(query, ItemQuery)}

    @property
    def readable_items(self) -> list[str]:
        """Those whose items can be read; an unpacked archive has no published files."""
        read = self.item_queries.items()
        return [name for name, query in read if not (self.archived and query.published)]

    @property
    def benchmarks(self) -> dict[str, Mapping[str, Any]]:
        """The benchmarks of all studies by name."""
        studies = self.studies.values()
        asked = [study.remains for study in studies if study.remains]
        asked += [self.quality] if any(study.has_rivals for study in studies) else []
        return {name: entry for each in asked for name, entry in each.benchmarks.items()}

    @property
    def stores(self) -> tuple[str, ...]:
        """The models that can be made here; none in an unpacked archive, which holds slices."""
        return () if self.archived else tuple(self.static_models)

    @property
    def convertible(self) -> tuple[str, ...]:
        """Those of them with a file to convert."""
        return tuple(name for name in self.stores if self.models[name].transform is None)

    @property
    def derived(self) -> tuple[str, ...]:
        """Those of them that come from another model."""
        return tuple(name for name in self.stores if self.models[name].transform)

    @property
    def derived_encoders(self) -> tuple[str, ...]:
        """The language models that come from another and can be made here."""
        return tuple(self.to_make(DERIVED))

    @cached_property
    def training_texts(self) -> dict[str, TrainingTexts]:
        """What the transforms of language models learn from, by the name of its file."""
        texts = (self.models[name].training for name in self.derived_encoders)
        return {each.name: each for each in texts}

    def models_from(self, *sources: str) -> list[str]:
        """Names of the language models from some of `language_model.SOURCES`."""
        return [name for name in self.language_models if self.models[name].source in sources]

    def to_make(self, *sources: str) -> list[str]:
        """Those that a rule may train or fetch; none in an unpacked archive."""
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

        Of variants that are computed alike the one whose name the score files bear.
        """
        names = dict.fromkeys(self.computations.values())
        return [name for name in names if self.metrics[name].of_items == items]

    @cached_property
    def computations(self) -> dict[str, str]:
        """Variant -> the first that is computed alike: score files bear its name."""
        first: dict[str, str] = {}
        found = {}
        for name, variant in self.metrics.items():
            definition = name if variant.of_items else variant.computation.definition
            alike = json.dumps(definition, sort_keys=True, default=str)
            found[name] = first.setdefault(alike, name)
        return found

    def scored(self, cells: Iterable[Cell]) -> list[Cell]:
        """The cells whose score files hold the scores of these, each once."""
        names = self.computations
        return list(dict.fromkeys(cell._replace(metric=names[cell.metric]) for cell in cells))

    def queries_of(self, *slices: str) -> list[str]:
        """Names of the queries whose answers are "slices" of vectors, "tokens", "completions"."""
        return [name for name, query in self.queries.items() if query.slices in slices]

    @property
    def uncompared(self) -> dict[str, dict[str, Any]]:
        """File of published numbers that no study of this run reads -> its `UnreadNumbers`."""
        read = {
            path
            for study in self.studies.values()
            for path in study.published_files("scores", "others")
        }
        files = {f"{self.published_folder}/{n}.csv": n for n in self.published_numbers}
        return {
            path: asdict(self.unread_numbers.get(name, UnreadNumbers()))
            for path, name in files.items()
            if path not in read
        }

    @cached_property
    def cells(self) -> list[Cell]:
        """The cells that are scored for all studies, each once."""
        return self.scored(c for study in self.studies.values() for c in study.every_cell)

    @property
    def figures(self) -> list[str]:
        """'study/figure' of every figure."""
        return [f"{s.name}/{figure}" for s in self.studies.values() for figure in s.figures]

    @property
    def figure_names(self) -> list[str]:
        """The figures that any study asks for."""
        return list(dict.fromkeys(f for s in self.studies.values() for f in s.figures))


def used_models(plan: Plan) -> list[str]:
    """Models of any study that are tables of word vectors."""
    return _once(name for study in plan.studies.values() for name in study.static_models)


def used_language_models(plan: Plan) -> list[str]:
    """Language models of any study."""
    return _once(name for study in plan.studies.values() for name in study.language_models)


def used_lineages(plan: Plan) -> list[str]:
    """Those models, each after the models that it is derived from."""
    return _once(each for name in used_models(plan) for each in plan.models[name].lineage)


def used_language_lineages(plan: Plan) -> list[str]:
    """Those language models, each after the models that it is derived from."""
    return _once(each for name in used_language_models(plan) for each in plan.models[name].lineage)


def used_derived_encoders(plan: Plan) -> list[str]:
    """Those of them that come from another one."""
    return [name for name in used_language_lineages(plan) if plan.models[name].base]


def used_transforms(plan: Plan) -> list[str]:
    """Transforms by which any of those models come from others."""
    names = (*used_lineages(plan), *used_language_lineages(plan))
    transforms = (plan.models[name].transform for name in names)
    return _once(transform.name for transform in transforms if transform)


def used_variants(plan: Plan) -> list[str]:
    """Metric variants of any study, and those that its control queries are measured by."""
    controls = (s.control_metric for s in plan.studies.values() if s.controls)
    return _once((*_named(plan, "metrics"), *controls))


def used_queries(plan: Plan) -> list[str]:
    """Queries of any study whose words or sentences are sought in vectors."""
    of_vectors = plan.queries_of("slices")
    named = (*_named(plan, "queries"), *_named(plan, "controls"))
    return _once(name for name in named if name in of_vectors)


def used_item_queries(plan: Plan) -> list[str]:
    """Queries of any study that are made of items."""
    of_items = plan.queries_of("tokens", "completions")
    return _once(name for name in _named(plan, "queries") if name in of_items)


def used_lookups(plan: Plan) -> list[str]:
    """Look-ups of those queries."""
    return _once(plan.queries[name].lookup for name in used_queries(plan))


def used_word_sets(plan: Plan) -> dict[str, list[str]]:
    """Word sets of queries, models and studies, sorted by name: which queries use each."""
    users: dict[str, list[str]] = {}
    for query in used_queries(plan):
        for reference in dict.fromkeys(plan.queries[query].references_with_declared):
            users.setdefault(reference, []).append(query)
    for reference in (*used_sets_of_models(plan), *used_sets_of_studies(plan)):
        users.setdefault(reference, [])
    return dict(sorted(users.items()))


def used_sets_of_models(plan: Plan) -> dict[str, list[str]]:
    """Word sets by which any of those models come from others: which models use each."""
    users: dict[str, list[str]] = {}
    for name in (*used_lineages(plan), *used_language_lineages(plan)):
        transform = plan.models[name].transform
        for reference in transform.word_sets if transform else ():
            users.setdefault(reference, []).append(name)
    return users


def used_sets_of_studies(plan: Plan) -> list[str]:
    """Word sets by which studies tell what remains of a bias."""
    asked = (study.remains for study in plan.studies.values())
    return _once(reference for each in asked if each for reference in each.word_sets)


def _named(plan: Plan, key: str) -> Iterable[str]:
    """What the studies name under a key."""
    return (name for study in plan.studies.values() for name in getattr(study, key))


def _once(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
