"""Language models in a plan: models, queries of sentences and items, metrics, and their files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from fairflow.language_models import ITEMS, LANGUAGE
from fairflow.language_models.cells.item_cell import ItemVariant
from fairflow.language_models.items.query_entry import files_of
from fairflow.language_models.planned import checks
from fairflow.language_models.planned.models import (
    ANSWERS,
    DERIVED,
    HUB,
    PACKED,
    PlannedLanguageModel,
)
from fairflow.language_models.planned.queries import (
    METRICS_FILE,
    QUERIES,
    ItemQuery,
    planned_language_queries,
)
from fairflow.language_models.planned.views import Items, in_plan, in_study
from fairflow.planning.catalogue import portable
from fairflow.planning.configuration import Configuration, Fault, in_file
from fairflow.planning.extension import Extension, FurtherQueries, Queries
from fairflow.planning.models import Lineage, models_of
from fairflow.planning.named_sets import Sets, read_named
from fairflow.planning.plan import Plan
from fairflow.planning.result_files import slice_files
from fairflow.planning.study import Entries, Part, Study
from fairflow.provenance import records
from fairflow.transforms import transform_class

ALL_ITEMS = "all"


class LanguageModels(Extension):
    """Models that answer queries of words, sentences and items."""

    models_file = "language_models"
    variants = {METRICS_FILE: ItemVariant}
    queries_folder = QUERIES
    study_lists = {"language_studies": "language_models"}
    command = "make run-lm"

    def models(
        self, configuration: Configuration, word_sets: Sets
    ) -> Mapping[str, PlannedLanguageModel]:
        """Those of language_models.yaml."""
        return models_of(self.catalogue(configuration), word_sets, PlannedLanguageModel)

    def queries(
        self, configuration: Configuration, known: Queries, word_sets: Sets
    ) -> FurtherQueries:
        """Those of config/language_queries."""
        return FurtherQueries(*planned_language_queries(configuration, known, word_sets))

    def sources(self, configuration: Configuration) -> Mapping[str, Mapping[str, Any]]:
        """Queries of published items."""
        return {n: e["published"] for n, e in _queries(configuration) if "published" in e}

    def files(self, configuration: Configuration) -> Iterator[str]:
        """Items of queries, given answers, texts of transforms; folders of models left out."""
        for _, entry in _queries(configuration):
            yield from files_of(entry)
        for entry in self.catalogue(configuration).values():
            yield from PlannedLanguageModel("", entry).answer_files
            if "derive" in entry:
                takes = transform_class(entry["derive"]["transform"]).word_sets
                yield from read_named(entry["derive"], takes, {}).files

    def entry_faults(
        self, configuration: Configuration, models: Mapping[str, Lineage], word_sets: Sets
    ) -> Iterator[Fault]:
        """Faults of language_models.yaml."""
        own = {name: models[name] for name in self.catalogue(configuration)}
        return in_file(checks.FILE, checks.entry_faults(configuration, own, word_sets))

    def local_faults(
        self, configuration: Configuration, entries: Entries, studies: Iterable[Study]
    ) -> Iterator[Fault]:
        """Missing files of models, answers and published items."""
        return checks.missing_files(entries, studies)

    def parts(
        self, study: Study, entry: Mapping[str, Any], configuration: Configuration
    ) -> dict[str, Part]:
        """Its language models, and the items that these are asked; the run decides first."""
        items, own = configuration.main.get("items", entry.get("items", ALL_ITEMS)), in_study(study)
        found: dict[str, Part] = {LANGUAGE: Part()} if own.models else {}
        return found | ({ITEMS: Items(None if items == ALL_ITEMS else items)} if own.cells else {})

    def faults(
        self, study: Study, entry: Mapping[str, Any], configuration: Configuration
    ) -> Iterator[tuple[str, str]]:
        """Metrics, models and queries without any cell, in studies of language models."""
        # Without some queries, or without any model, nobody knows whether metrics are applicable.
        known = study.models and {*study.queries} <= {*study.entries.queries}
        if known and in_study(study).is_concerned:
            yield from checks.unmeasurable(study)
            yield from checks.unused(study)

    def downloads(self, plan: Plan) -> Iterator[Mapping[str, Any]]:
        """Published items."""
        return (one.published for one in in_plan(plan).queries.values() if one.published)

    def missing(self, plan: Plan) -> tuple[list[Mapping[str, Any]], dict[str, int | None]]:
        """Packed models and published items; and models of the hub with their sizes."""
        own = in_plan(plan)
        models = zip(own.lineages, own.files("manifest", own.lineages), strict=True)
        models = [own.models[name] for name, file in models if not Path(file).is_file()]
        entries = [model.entry for model in models if model.source == PACKED]
        items = zip(own.used_queries, own.files("items", own.used_queries), strict=True)
        queries = (own.queries[name] for name, file in items if not Path(file).is_file())
        entries += filter(None, (query.published for query in queries))
        return entries, {m.source_text: m.entry.get("bytes") for m in models if m.source == HUB}

    def not_remade(self, plan: Plan) -> list[str]:
        """Items, facts of models, and what they answer."""
        own = in_plan(plan)
        return [
            *own.files("items", own.used_queries),
            *own.files("facts", own.of_studies(lambda one: one.networks)),
            *slice_files(plan, own.of_studies(lambda one: one.slices())),
            *own.embeddings(own.of_studies(lambda one: one.embedded)),
            *dict.fromkeys(file for name in own.derived for file in own.training_files(name)),
        ]

    def results(self, plan: Plan) -> list[str]:
        """The values of items."""
        return in_plan(plan).item_scores(in_plan(plan).of_studies(lambda one: one.cells))

    def records(self, plan: Plan) -> list[str]:
        """Of models that are derived from others; the others have the list of their files."""
        return in_plan(plan).files("record", in_plan(plan).derived)

    def manifests(self, plan: Plan) -> list[str]:
        """Of models that can be run."""
        own = in_plan(plan)
        return own.files("manifest", own.of_studies(lambda one: one.networks))

    def derived(self, plan: Plan) -> list[str]:
        """Those that have another as their base."""
        return in_plan(plan).to_make(DERIVED)

    def unpacked(self, plan: Plan) -> Iterable[tuple[str, str]]:
        """Those of a package or a file."""
        names = in_plan(plan).to_make(PACKED)
        return zip(names, in_plan(plan).files("manifest", names), strict=True)

    def resolved(self, plan: Plan) -> dict[str, Any]:
        """The entries of models and queries of items, and the items that studies ask."""
        own, studies = in_plan(plan), map(in_study, plan.studies.values())
        return {
            "language_models": {name: _model(own.models[name]) for name in own.lineages},
            "item_queries": {name: _query(own.queries[name]) for name in own.used_queries},
            "item_studies": {
                one.study.name: {"items": one.queries, "items_asked": one.items or ALL_ITEMS}
                for one in studies
                if one.cells
            },
        }

    def asked(self, study: Study) -> dict[str, Any]:
        """The metrics that some of its models cannot answer."""
        return {"unanswered": in_study(study).unanswered}


def _queries(configuration: Configuration) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for contents in configuration.further.get(QUERIES, {}).values():
        yield from contents["queries"].items()


def _model(model: PlannedLanguageModel) -> dict[str, Any]:
    stated = {"label": model.label, "layer": model.origin.reading["layer"]}
    entry = records.without_places(model.entry) | stated | records.derivation_of(model)
    entry = records.portable_entry(entry, "folder")
    return entry | ({ANSWERS: [*map(portable, model.answer_files)]} if ANSWERS in entry else {})


def _query(query: ItemQuery) -> dict[str, Any]:
    entry = records.without_places(query.entry)
    if query.published:
        entry["published"] = records.without_places(query.published)
    return records.portable_entry(entry, "file", "lexicon_file")


EXTENSION = LanguageModels()
