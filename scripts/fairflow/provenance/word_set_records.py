"""One row per word set: how many words it gave, where they come from, and what uses them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairflow.planning.plan import Plan
from fairflow.planning.used_by_studies import used_sets_of_models, used_word_sets

COLUMNS = ("set", "words", "citation", "source", "queries", "models")


def word_set_entries(plan: Plan) -> list[dict[str, Any]]:
    """What the configuration says about each word set that a study uses.

    `place` is (query, role, shown name): where its words stand among those of a query. A set that
    models alone are derived by, or tested with, or that a query declares something by, has none,
    and its number of words instead.
    """
    models = used_sets_of_models(plan)
    return [
        _entry(plan, name, queries, models.get(name, []))
        for name, queries in used_word_sets(plan).items()
    ]


def _entry(plan: Plan, name: str, queries: list[str], models: list[str]) -> dict[str, Any]:
    entry = plan.word_sets[name]
    told = {
        "set": name,
        "citation": entry["citation"],
        "source": entry.get("source"),
        "queries": " ".join(queries),
        "models": " ".join(models),
    }
    place = next(filter(None, (_place(plan, name, query) for query in queries)), None)
    if place is None:
        # Of models, of tests, or of what queries declare besides their sets.
        sets = [entry["words"]] if "words" in entry else entry["tuples"]
        return {**told, "words": sum(map(len, sets))}
    return {**told, "place": place}


def _place(plan: Plan, name: str, query: str) -> list[str] | None:
    """Where the words of a set stand in a query; None of one that it only declares something by."""
    planned = plan.queries[query]
    roles = {"targets": planned.targets, "attributes": planned.attributes}
    places = (
        [query, role, shown]
        for role, sets in roles.items()
        for shown, reference in sets.items()
        if reference == name
    )
    return next(places, None)


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
        row = dict(entry)
        if "place" in entry:
            query, role, shown = entry["place"]
            row["words"] = len(words[query][role][shown])
        rows.append({column: row[column] for column in COLUMNS})
    return rows
