"""What a study compares its models by besides its own choices, from scores that are there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fairflow.errors import nearest

Criteria = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Multiverse:
    """Where a study's further specifications come from.

    Attributes
    ----------
    studies : whose scores are used besides. lists : version of word lists -> criterion -> queries.
    """

    studies: tuple[str, ...] = ()
    lists: Mapping[str, Criteria] | None = None


def planned_multiverse(entry: Mapping[str, Any]) -> Multiverse | None:
    """What a study says under `multiverse`, None where it says nothing."""
    if "multiverse" not in entry:
        return None
    given = entry["multiverse"]
    versions = {
        version: {criterion: tuple(queries) for criterion, queries in criteria.items()}
        for version, criteria in given.get("lists", {}).items()
    }
    return Multiverse(tuple(given.get("studies", ())), versions)


def multiverse_problems(
    name: str, entry: Mapping[str, Any], criteria: Criteria, queries: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """(key, sentence) of each fault of what a study says under `multiverse` but unknown studies.

    Parameters
    ----------
    name : of the study. criteria : its own. queries : of the configuration.
    """
    given = entry.get("multiverse", {})
    for version, of_version in given.get("lists", {}).items():
        key = f"multiverse.lists.{version}"
        if version in (name, *given.get("studies", ())):
            yield key, "the lists of a study have this name: give these another one"
        for criterion, named in of_version.items():
            if criterion not in criteria:
                yield key, f"unknown criterion {criterion!r}. {nearest(criterion, criteria)}"
            for query in named:
                if query not in queries:
                    yield (
                        f"{key}.{criterion}",
                        f"unknown name {query!r}. {nearest(query, queries)}",
                    )
