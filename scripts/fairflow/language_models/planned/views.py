"""What plans and studies have of language models."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from fairflow.language_models import ITEMS
from fairflow.language_models.cells.item_cell import ItemVariant
from fairflow.language_models.planned.models import DERIVED, PlannedLanguageModel, TrainingTexts
from fairflow.language_models.planned.queries import ItemQuery
from fairflow.planning.plan import Plan
from fairflow.planning.queries import WORDS
from fairflow.planning.registry import path_of
from fairflow.planning.result_files import every_lineage, slice_files
from fairflow.planning.study import Part, Study
from fairflow.scores.variant import Cell, Slice

# Kinds of language models that can be asked.
_KINDS = ("masked", "causal")
# Kinds of answers that items are scored from.
ANSWERS = ("tokens", "completions")


@dataclass(frozen=True)
class Items(Part):
    """How many items of each query a study asks; None: all of them."""

    asked: int | None


@dataclass(frozen=True)
class LanguageStudy:
    """What a study has of language models."""

    study: Study

    @cached_property
    def models(self) -> list[str]:
        """Its language models."""
        models = self.study.entries.models
        return [n for n in self.study.models if isinstance(models[n], PlannedLanguageModel)]

    @property
    def networks(self) -> list[str]:
        """Its language models that can be run, and the origins of its derived ones."""
        origins = (self.study.entries.models[name].origin for name in self.models)
        return list(dict.fromkeys(model.name for model in origins if model.is_network))

    @property
    def items(self) -> int | None:
        """The number of items used of each query of items, None for all of them."""
        return self.study.parts[ITEMS].asked if ITEMS in self.study.parts else None

    @property
    def metrics(self) -> list[str]:
        """Its metrics that measure items."""
        metrics = self.study.entries.metrics
        return [n for n in self.study.metrics if isinstance(metrics.get(n), ItemVariant)]

    @cached_property
    def cells(self) -> list[Cell]:
        """Its cells that measure items."""
        of_items = {*self.metrics}
        return [cell for cell in self.study.cells if cell.metric in of_items]

    def slices(self, *kinds: str) -> list[Slice]:
        """The slices that items are scored from, of some of `ANSWERS`, or of all."""
        models, queries = self.study.entries.models, self.study.entries.queries
        return [
            one
            for one in dict.fromkeys(cell.slice for cell in self.cells)
            if models[one.model].folder_of(queries[one.query]) in (kinds or ANSWERS)
        ]

    @property
    def queries(self) -> list[str]:
        """The queries that these cells ask, each once."""
        return list(dict.fromkeys(cell.query for cell in self.cells))

    @property
    def embedded(self) -> list[Slice]:
        """Its slices of vectors that language models give."""
        return [one for one in self.study.every_slice if one.model in self.models]

    @property
    def is_concerned(self) -> bool:
        """Whether it names a model, metric or query of language models."""
        asked = map(self.study.entries.queries.get, self.study.queries)
        models = map(self.study.entries.models.get, self.study.models)
        of_models = any(isinstance(model, PlannedLanguageModel) for model in models)
        return of_models or bool(self.metrics) or any(q and q.kind != WORDS for q in asked)

    @property
    def unanswered(self) -> list[tuple[str, list[str], list[str]]]:
        """Metric of items, the kinds of models that can answer it, its models that cannot.

        Metrics that all of them can answer are left out.
        """
        kinds = {name: self.study.entries.models[name].kind for name in self.models}
        # Answers that are given may be scored as a causal model's are.
        scored = {(cell.metric, cell.model) for cell in self.cells}
        found = []
        for metric in self.metrics:
            needs = self.study.variants[metric].made.needs
            cannot = [
                model
                for model, kind in kinds.items()
                if not needs(kind) and (metric, model) not in scored
            ]
            if cannot:
                found.append((metric, [kind for kind in _KINDS if needs(kind)], cannot))
        return found


@dataclass(frozen=True)
class LanguagePlan:
    """What a plan has of language models."""

    plan: Plan

    @cached_property
    def models(self) -> dict[str, PlannedLanguageModel]:
        """The language models by name, whether a study names them or not."""
        models = self.plan.models.items()
        return {name: one for name, one in models if isinstance(one, PlannedLanguageModel)}

    def models_from(self, *sources: str) -> list[str]:
        """Names of those from some of `planned.models.SOURCES`."""
        return [name for name, model in self.models.items() if model.source in sources]

    def to_make(self, *sources: str) -> list[str]:
        """Such models that a rule may fetch, unpack or derive; empty in an unpacked archive."""
        return [] if self.plan.archived else self.models_from(*sources)

    @cached_property
    def training_texts(self) -> dict[str, TrainingTexts]:
        """The texts that transforms of language models learn from, by the name of their file."""
        texts = (self.models[name].training for name in self.to_make(DERIVED))
        return {each.name: each for each in texts}

    @cached_property
    def queries(self) -> dict[str, ItemQuery]:
        """The queries that are made of items."""
        return {n: query for n, query in self.plan.queries.items() if isinstance(query, ItemQuery)}

    @property
    def readable(self) -> list[str]:
        """Queries whose items can be read; an unpacked archive has no published files."""
        queries = self.queries.items()
        return [name for name, query in queries if not (self.plan.archived and query.published)]

    @property
    def used_queries(self) -> list[str]:
        """Queries of any study that are made of items."""
        asked = self.plan.of_studies(lambda study: study.queries)
        return [name for name in asked if name in self.queries]

    @property
    def lineages(self) -> list[str]:
        """The language models of any study, each after those that it is derived from."""
        return [name for name in every_lineage(self.plan) if name in self.models]

    @property
    def derived(self) -> list[str]:
        """Those of them that are derived from others."""
        return [name for name in self.lineages if self.models[name].base]

    def of_studies(self, of_study: Callable[[LanguageStudy], Iterable[Any]]) -> list[Any]:
        """What a function returns for the studies, each value once."""
        return self.plan.of_studies(lambda study: of_study(in_study(study)))

    def files(self, kind: str, names: Iterable[str]) -> list[str]:
        """The items of queries; or the record, manifest or facts of models."""
        of = "query" if kind == "items" else "model"
        return [path_of(self.plan, kind, **{of: name}) for name in names]

    def answers(self, study: Study) -> list[str]:
        """The answers that items of a study are scored from, each file once."""
        return slice_files(self.plan, in_study(study).slices())

    def embeddings(self, slices: Iterable[Slice]) -> list[str]:
        """The vectors of texts that slices are cut from, as the networks give them.

        A model that is derived from another has those of its origin.
        """
        file_of, made = self.plan.file_of, partial(path_of, self.plan, "embeddings")
        named = ((self.models[one.model].origin.name, file_of(one.query)) for one in slices)
        return list(dict.fromkeys(made(model=name, queries=queries) for name, queries in named))

    def item_scores(self, cells: Iterable[Cell]) -> list[str]:
        """The values of the items in cells of items, each file once."""
        made = partial(path_of, self.plan, "item_scores")
        named = ((model, metric, self.plan.file_of(query)) for model, metric, query in cells)
        return list(dict.fromkeys(made(model=m, metric=n, queries=file) for m, n, file in named))

    def training_files(self, model: str) -> list[str]:
        """The vectors of texts that the transform of a model learns from, if it needs any."""
        planned = self.models[model]
        named = {"model": planned.origin.name, "queries": planned.training.name}
        return [path_of(self.plan, "embeddings", **named)] if planned.training.texts else []


def in_study(study: Study) -> LanguageStudy:
    """What a study has of language models."""
    return study.seen_as(LanguageStudy)


def in_plan(plan: Plan) -> LanguagePlan:
    """What a plan has of language models."""
    return plan.seen_as(LanguagePlan)
