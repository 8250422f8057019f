"""Methods, intersections and contexts in a plan: what the entry of a study names of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fairflow.nulls import METHODS
from fairflow.nulls.crossed import crossed_of
from fairflow.nulls.methods import METHOD_NAMES
from fairflow.planning.configuration import Configuration, unknown_names
from fairflow.planning.extension import Extension
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
    """Studies that name methods, and those with crossed queries."""

    def parts(
        self, study: Study, entry: Mapping[str, Any], configuration: Configuration
    ) -> dict[str, Part]:
        """The methods that a study names, and its queries that cross two contrasts."""
        named = entry.get(METHODS, ())
        methods = {METHODS: MethodsOfStudy(tuple(named))} if named else {}
        return methods | crossed_of(study, configuration)

    def faults(
        self, study: Study, entry: Mapping[str, Any], configuration: Configuration
    ) -> Iterator[tuple[str, str]]:
        """Unknown names of methods."""
        yield from unknown_names(METHODS, entry.get(METHODS, ()), METHOD_NAMES, "method")


EXTENSION = Nulls()
