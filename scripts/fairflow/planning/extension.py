"""What a capability adds to plans: the module `plan` of its folder has one, called EXTENSION."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fairflow.planning.configuration import Configuration, Fault
from fairflow.planning.named_sets import Sets
from fairflow.planning.plan import Plan
from fairflow.planning.queries import ItemQuery, PlannedQuery
from fairflow.planning.study import Part, Study

Queries = Mapping[str, PlannedQuery | ItemQuery]


class FurtherQueries(NamedTuple):
    """Queries by name, the word sets that they write themselves, and their faults."""

    queries: Queries = {}
    word_sets: Sets = {}
    faults: Sequence[Fault] = ()


class Extension:
    """A capability in a plan; by default it adds nothing."""

    def completed(self, configuration: Configuration) -> Configuration:
        """A configuration with what its files imply for other files."""
        return configuration

    def queries(
        self, configuration: Configuration, known: Queries, word_sets: Sets
    ) -> FurtherQueries:
        """Its queries, given those that are there."""
        return FurtherQueries()

    def files(self, configuration: Configuration) -> Iterable[str]:
        """The files of the user's that planning reads."""
        return ()

    def parts(
        self, study: Study, entry: Mapping[str, Any], configuration: Configuration
    ) -> Mapping[str, Part]:
        """What a study has of it, by the kind of the tables that are made from it.

        Parameters
        ----------
        entry : what the file of the study says.
        """
        return {}

    def faults(
        self, study: Study, entry: Mapping[str, Any], configuration: Configuration
    ) -> Iterator[tuple[str, str]]:
        """(Key, sentence) of each fault of a study's entry."""
        yield from ()

    def not_remade(self, plan: Plan) -> list[str]:
        """The files that a plan without models cannot make again."""
        return []
