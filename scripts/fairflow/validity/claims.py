"""What validity adds to claims: the checks, and what lies behind an association."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fairflow.studies.aggregation import OVERALL
from fairflow.studies.claims.claim import Gate, Results
from fairflow.studies.claims.extension import ClaimsOf
from fairflow.studies.claims.grid import POOR, UNKNOWN, GridRow
from fairflow.validity.checks import RATINGS
from fairflow.validity.eat_patterns import sides
from fairflow.validity.grid import grid

CHECKS, PATTERNS = "checks", "eat_patterns"


class ClaimsOfValidity(ClaimsOf):
    """The checks of each model."""

    def facts(
        self, score: Mapping[str, Any], sets: Sequence[Sequence[str]], results: Results
    ) -> dict[str, Any]:
        """Whether one target set alone shows an association, or both are near to one set."""
        table, facts = results.table(PATTERNS), dict[str, Any]()
        if table.empty:
            return facts
        own = table[(table["model"] == score["model"]) & (table["query"] == score["query"])]
        for one in own.dropna(subset=["p_x", "p_y"]).to_dict("records"):
            first, second = sides(one)
            near = [name for name, side in zip(sets[0], (first, second), strict=True) if side]
            if len(near) == 1:
                facts["alone"] = near[0]
            elif first == second != 0:
                facts["both"] = sets[1][0 if first > 0 else 1]
        return facts

    def gates(self, results: Results, less: str, criterion: str) -> Iterator[Gate]:
        """Fails where the words of the model say nothing of the criterion's concepts."""
        rows = results.table(CHECKS)
        if len(rows):
            there = (rows["criterion"] == criterion) | (criterion == OVERALL)
            there &= (rows["question"] == RATINGS) & (rows["model"] == less)
            rows = rows[there & (rows["grade"] != UNKNOWN)]
        known = None if rows.empty else bool((rows["grade"] != POOR).any())
        yield Gate.of("yardstick", known, table="" if rows.empty else CHECKS)

    def checks(self, results: Results, models: Sequence[str]) -> Sequence[GridRow]:
        """A row for each question."""
        return grid(results.table(CHECKS), models)


EXTENSION = ClaimsOfValidity()
