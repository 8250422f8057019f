"""Association queries of sentences: words in templates (our own set), or a test file of SEAT."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairflow.language_models.association_item import ROLES
from fairflow.language_models.bleached_sentences import TEMPLATES, bleached_sentences
from fairflow.language_models.errors import ItemError
from fairflow.language_models.loaders.seat import read_seat
from fairflow.study import PlannedQuery

LOOKUP = "as_written"


def sentence_query(
    name: str,
    entry: Mapping[str, Any],
    queries: Mapping[str, PlannedQuery],
    word_sets: Mapping[str, Mapping[str, Any]],
    citation: str,
) -> tuple[PlannedQuery, dict[str, dict[str, Any]]]:
    """A query of sentences, and the word sets that it refers to.

    The source of a set of sentences is the citation of its words.

    Raises
    ------
    ItemError : an unknown query, set or kind of template, or words that stand in a lexicon.
    """
    if "file" in entry:
        item = read_seat(entry["file"])
        sets = [list(getattr(item, role)) for role in ROLES]
        named = dict(zip(item.names, sets, strict=True))
        targets, attributes = item.names[:2], item.names[2:]
        sources = {}
    else:
        base = queries.get(entry.get("words_of", ""))
        if base is None:
            raise ItemError("kind 'association' needs file or words_of, a query of words")
        targets, attributes = (
            tuple(f"{shown} in sentences" for shown in sets)
            for sets in (base.targets, base.attributes)
        )
        of_words = {**base.targets, **base.attributes}
        named = {
            f"{shown} in sentences": _sentences(shown, reference, entry, word_sets)
            for shown, reference in of_words.items()
        }
        sources = {
            f"{shown} in sentences": word_sets[reference].get("citation")
            for shown, reference in of_words.items()
        }
    references = {shown: f"{name}#{shown}" for shown in named}
    query = PlannedQuery(
        name,
        {shown: references[shown] for shown in targets},
        {shown: references[shown] for shown in attributes},
        LOOKUP,
        citation,
    )
    return query, {
        references[shown]: {"words": texts, "citation": citation, "source": sources.get(shown)}
        for shown, texts in named.items()
    }


def _sentences(
    shown: str,
    reference: str,
    entry: Mapping[str, Any],
    word_sets: Mapping[str, Mapping[str, Any]],
) -> list[str]:
    kind = entry.get("templates", {}).get(shown)
    if kind is None:
        raise ItemError(f"templates: name one of {', '.join(TEMPLATES)} for the set {shown!r}")
    words = word_sets[reference].get("words")
    if words is None:
        raise ItemError(f"the set {shown!r} is a lexicon, of which no sentences are made")
    return list(dict.fromkeys(bleached_sentences(words, kind)))
