"""Entries: the models, metric variants and queries that a configuration defines, by name."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fairflow.planning.catalogue import Model
from fairflow.planning.language_model import PlannedLanguageModel
from fairflow.planning.query import ItemQuery, PlannedQuery
from fairflow.scores.item_variant import ItemVariant
from fairflow.scores.variant import Cell
from fairflow.scores.word_variant import WordVariant
from fairflow.studies.comparability import vectors_of


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

    @cached_property
    def computations(self) -> dict[str, str]:
        """Variant -> the first that is computed alike; its score files are those of all."""
        first: dict[str, str] = {}
        found = {}
        for name, variant in self.metrics.items():
            of_words = {} if variant.of_items else variant.computation.definition
            alike = json.dumps(of_words or name, sort_keys=True, default=str)
            found[name] = first.setdefault(alike, name)
        return found

    def computed(self, cells: Iterable[Cell]) -> list[Cell]:
        """The cells that hold the scores of these, each once."""
        names = self.computations
        return list(dict.fromkeys(cell._replace(metric=names[cell.metric]) for cell in cells))

    def shown(self, metrics: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Variant -> how it is read from score files: see `fairflow.studies.aggregation`."""
        return {
            name: {"computed": self.computations[name], **self.metrics[name].shown}
            for name in metrics
        }

    def fit(self, cell: Cell) -> bool:
        """Whether the metric of a cell can measure its query on its model."""
        model = self.models.get(cell.model)
        metric = self.metrics.get(cell.metric)
        query = self.queries.get(cell.query)
        return bool(model and metric and query and metric.fits(model, query))
