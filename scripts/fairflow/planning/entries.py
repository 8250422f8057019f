"""Entries: the models, metric variants and queries that a configuration defines, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fairflow.planning.catalogue import Model
from fairflow.planning.language_model import PlannedLanguageModel
from fairflow.planning.query import ItemQuery, PlannedQuery
from fairflow.scores.cell import Cell
from fairflow.scores.item_variant import ItemVariant
from fairflow.scores.word_variant import WordVariant


@dataclass(frozen=True)
class Entries:
    """Each entry knows its kind; what is unknown or faulty is left out."""

    models: Mapping[str, Model | PlannedLanguageModel]
    metrics: Mapping[str, WordVariant | ItemVariant]
    queries: Mapping[str, PlannedQuery | ItemQuery]

    def fit(self, cell: Cell) -> bool:
        """Whether the metric of a cell can measure its query on its model."""
        model = self.models.get(cell.model)
        metric = self.metrics.get(cell.metric)
        query = self.queries.get(cell.query)
        return bool(model and metric and query and metric.fits(model, query))
