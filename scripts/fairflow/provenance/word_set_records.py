"""One row per word set: how many words it gave, where they come from, which queries use them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairflow.planning.plan import Plan
from fairflow.planning.used_by_studies import used_word_sets

COLUMNS = ("set", "words", "citation", "source", "queries")


def word_set_entries(plan: Plan) -> list[dict[str, Any]]:
    """What the configuration says about each word set that a study uses.

    `place` is (query, role, shown name): where its words stand among those of a query.
    """
    return [_entry(plan, name, queries) for name, queries in used_word_sets(plan).items()]


def _entry(plan: Plan, name: str, queries: list[str]) -> dict[str, Any]:
    entry = plan.word_sets[name]
    query = plan.queries[queries[0]]
    roles = {"targets": query.targets, "attributes": query.attributes}
    key = next(
        (query.name, role, shown)
        for role, sets in roles.items()
        for shown, reference in sets.items()
        if reference == name
    )
    return {
        "set": name,
        "citation": entry["citation"],
        "source": entry.get("source"),
        "queries": " ".join(queries),
        "place": list(key),
    }


def word_set_rows(
    entries: Sequence[Mapping[str, Any]], words: Mapping[str, Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The entries with their numbers of words, repeated ones counted.

    Parameters
    ----------
    words : query -> role -> shown name -> words, as results/words holds them.
    """
    rows = []
    for entry in entries:
        query, role, shown = entry["place"]
        row = dict(entry) | {"words": len(words[query][role][shown])}
        rows.append({column: row[column] for column in COLUMNS})
    return rows
