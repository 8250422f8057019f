"""Methods, intersections and contexts in a plan: what the entry of a study names of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairflow.nulls import CONTEXTS, METHODS
from fairflow.nulls.ceat_plan import (
    context_faults,
    context_files,
    planned_contexts,
    texts_of_contexts,
)
from fairflow.nulls.crossed import crossed_of
from fairflow.nulls.methods import SAID
from fairflow.planning.catalogue import file_of
from fairflow.planning.configuration import Configuration, unknown_names
from fairflow.planning.extension import Extension
from fairflow.planning.plan import Plan
from fairflow.planning.study import Part, Study


@dataclass(frozen=True)
class MethodsOfStudy(Part):
    """The published methods that a study tries where nothing is.

    Attributes
    ----------
    methods : names of `fairflow.nulls.methods`, in the order of the study.
    """

    methods: tuple[str, ...]


class Nulls(Extension):
    """Studies that name methods, that cross two contrasts, and of words in contexts."""

    def parts(
        self, study: Study, entry: Mapping[str, Any], configuration: Configuration
    ) -> dict[str, Part]:
        """The methods that a study names, its crossed queries, and its contexts."""
        found = crossed_of(study, configuration)
        if METHODS in entry:
            found[METHODS] = MethodsOfStudy(tuple(entry[METHODS]))
        if CONTEXTS in entry:
            found[CONTEXTS] = planned_contexts(study, entry[CONTEXTS])
        return found

    def faults(
        self, study: Study, entry: Mapping[str, Any], configuration: Configuration
    ) -> Iterator[tuple[str, str]]:
        """Unknown names of methods, and faults of contexts."""
        yield from unknown_names(METHODS, entry.get(METHODS, ()), SAID, "method")
        if CONTEXTS in entry:
            yield from context_faults(study, entry[CONTEXTS], configuration)

    def downloads(self, plan: Plan) -> list[Mapping[str, Any]]:
        """The texts that contexts come from."""
        return texts_of_contexts(plan)

    def missing(self, plan: Plan) -> tuple[list[Mapping[str, Any]], dict[str, int | None]]:
        """Those of them that are not here."""
        return [one for one in texts_of_contexts(plan) if not Path(file_of(one)).is_file()], {}

    def not_remade(self, plan: Plan) -> list[str]:
        """Contexts, and what models make of words in them."""
        return plan.of_studies(lambda study: context_files(plan, study))


EXTENSION = Nulls()
