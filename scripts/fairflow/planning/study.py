"""A study and its queries, by reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from fairflow.queries.query import joined

PUBLISHED_FOLDER = "config/published"


def as_list(value: str | list[str]) -> list[str]:
    """One name or several, as several."""
    return [value] if isinstance(value, str) else list(value)


@dataclass(frozen=True)
class PlannedQuery:
    """A query by reference: set name -> word set, for targets and attributes."""

    name: str
    targets: Mapping[str, str]
    attributes: Mapping[str, str]
    lookup: str
    citation: str = ""

    @property
    def label(self) -> str:
        """'A and B wrt C and D'."""
        return f"{joined(list(self.targets))} wrt {joined(list(self.attributes))}"

    @property
    def references(self) -> list[str]:
        """The word sets that it uses."""
        return [*self.targets.values(), *self.attributes.values()]


@dataclass(frozen=True)
class Study:
    """Models x metrics x queries, the queries grouped by criterion.

    Attributes
    ----------
    absent : model that the study names -> why it is not in this run.
    skips_absent : leave out the published numbers of absent models, too.
    impossible : cells that cannot be: a metric and a query or model that do not fit.
    items : the queries of items, which have no slice of vectors.
    controls : queries that any sensible vectors show, see `fairflow.studies.controls`;
        control_metric : the variant that they are measured by.
    """

    name: str
    title: str
    models: tuple[str, ...]
    metrics: tuple[str, ...]
    criteria: Mapping[str, tuple[str, ...]]
    aggregation: str
    minimum_coverage: float
    figures: tuple[str, ...]
    published: Mapping[str, Any] = field(default_factory=dict)
    statistics: bool = True
    families: tuple[str, ...] = ("criterion", "metric", "model")
    absent: Mapping[str, str] = field(default_factory=dict)
    skips_absent: bool = False
    impossible: frozenset[str] = frozenset()
    items: frozenset[str] = frozenset()
    controls: tuple[str, ...] = ()
    control_metric: str = ""

    @property
    def queries(self) -> tuple[str, ...]:
        """Every query, each once."""
        return tuple(dict.fromkeys(q for group in self.criteria.values() for q in group))

    @property
    def cells(self) -> list[str]:
        """'model/metric/query' of every cell."""
        return self._possible(self.metrics, self.queries)

    @property
    def control_cells(self) -> list[str]:
        """'model/metric/query' of the cells of the control queries."""
        return self._possible((self.control_metric,), self.controls)

    @property
    def every_cell(self) -> list[str]:
        """Cells with those of the control queries, each once."""
        return list(dict.fromkeys([*self.cells, *self.control_cells]))

    @property
    def slices(self) -> list[str]:
        """'model/query' of every slice of vectors."""
        used = (cell.split("/") for cell in self.cells)
        needed = {(model, query) for model, _, query in used if query not in self.items}
        pairs = product(self.models, self.queries)
        return ["/".join(pair) for pair in pairs if pair in needed]

    @property
    def every_slice(self) -> list[str]:
        """Slices with those of the control queries, each once."""
        pairs = ("/".join(cell.split("/")[::2]) for cell in self.control_cells)
        return list(dict.fromkeys([*self.slices, *pairs]))

    def _possible(self, metrics: tuple[str, ...], queries: tuple[str, ...]) -> list[str]:
        cells = ("/".join(cell) for cell in product(self.models, metrics, queries))
        return [cell for cell in cells if cell not in self.impossible]

    def published_files(self, *kinds: str) -> dict[str, list[str]]:
        """Files of published numbers: `scores`, which are ranked, or `others`."""
        names = [name for kind in kinds for name in as_list(self.published.get(kind, []))]
        return {"published": [f"{PUBLISHED_FOLDER}/{name}.csv" for name in names]} if names else {}

    @property
    def stand_ins(self) -> dict[str, str]:
        """Published model -> the model of this run that is compared with it."""
        named = {model: model for model in self.models} | dict(self.published.get("models", {}))
        found = {
            published: [model for model in as_list(candidates) if model in self.models]
            for published, candidates in named.items()
        }
        return {published: present[0] for published, present in found.items() if present}

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
        unmatched = {p: set(as_list(own)) for p, own in candidates.items() if p not in stood_in}
        return sorted(absent | {p for p, own in unmatched.items() if own & absent})
