"""What a capability adds to plans: the module `plan` of its folder has one, called EXTENSION."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fairflow.planning.configuration import Configuration
from fairflow.planning.plan import Plan
from fairflow.planning.study import Entries


class Extension:
    """A capability in a plan; by default it adds nothing.

    Attributes
    ----------
    kind : of its tables in a study, see `fairflow.studies.tables`; "" without tables.
    adjusts_own_tests : whether these tables correct p-values of the study themselves.
    """

    kind: str = ""
    adjusts_own_tests: bool = False

    def completed(self, configuration: Configuration) -> Configuration:
        """A configuration with what its files imply for other files."""
        return configuration

    def part(
        self, entry: Mapping[str, Any], entries: Entries, configuration: Configuration
    ) -> Any | None:
        """What a study has of it, by the study's entry; None if it has nothing."""
        return None

    def faults(
        self, entry: Mapping[str, Any], configuration: Configuration
    ) -> Iterator[tuple[str, str]]:
        """(Key, sentence) of each fault of a study's entry."""
        yield from ()

    def not_remade(self, plan: Plan) -> list[str]:
        """The files that a plan without models cannot make again."""
        return []
