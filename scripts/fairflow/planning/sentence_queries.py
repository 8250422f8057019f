"""Association queries of sentences: words in templates (our own set), or a test file of SEAT."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.embedded_sentences import (
    TEMPLATES,
    bleached_sentences,
    read_seat,
)
from fairflow.planning.query import SENTENCES, PlannedQuery, words_of
from fairflow.queries.lookup import spellings

LOOKUP = "as_written"
UNITS = ("word", "sentence")


def sentence_query(
    name: str,
    entry: Mapping[str, Any],
    queries: Mapping[str, PlannedQuery],
    word_sets: Mapping[str, Mapping[str, Any]],
    citation: str,
) -> tuple[PlannedQuery, dict[str, dict[str, Any]]]:
    """A query of sentences, and the word sets that it refers to, with the units of the sentences.

    The source of a set of sentences is the citation of its words. The unit is the word, crossed
    with the template, unless the entry says `unit: sentence`; texts of a file that are but words
    stand for themselves.

    Raises
    ------
    ItemError : an unknown query, set or kind of template, words that stand in a lexicon, or a
        sentence of a file that holds none of the words.
    """
    unit = entry.get("unit", "word")
    if unit not in UNITS:
        raise ItemError(f"unit of an association must be {' or '.join(UNITS)}, got {unit!r}")
    for key in ("format", "published"):
        if key in entry:
            raise ItemError(f"{key}: of an association file is one of SEAT; leave {key} out")
    base = queries.get(entry["words_of"]) if "words_of" in entry else None
    if "words_of" in entry and base is None:
        raise ItemError(f"words_of: there is no query of words {entry['words_of']!r}")
    if "file" in entry:
        roles, sets = _of_file(entry, base, word_sets)
    elif base is None:
        raise ItemError("kind 'association' needs file or words_of, a query of words")
    else:
        roles, sets = _of_templates(entry, base, word_sets)
    if unit == "sentence":
        for word_set in sets.values():
            word_set.pop("units", None)
    references = {shown: f"{name}#{shown}" for shown in sets}
    targets, attributes = ({shown: references[shown] for shown in role} for role in roles)
    query = PlannedQuery(
        name,
        targets,
        attributes,
        LOOKUP,
        citation,
        SENTENCES,
        measured_by=tuple(entry.get("measured_by", ())),
        words=words_of(sets, sets),
    )
    return query, {
        references[shown]: word_set | {"citation": citation} for shown, word_set in sets.items()
    }


Roles = tuple[Sequence[str], Sequence[str]]
Sets = dict[str, dict[str, Any]]


def _of_templates(
    entry: Mapping[str, Any], base: PlannedQuery, word_sets: Mapping[str, Mapping[str, Any]]
) -> tuple[Roles, Sets]:
    """Names of target and attribute sets, and each set's sentences, their units and source."""
    sets = {}
    for shown, reference in {**base.targets, **base.attributes}.items():
        kind = entry.get("templates", {}).get(shown)
        if kind is None:
            raise ItemError(f"templates: name one of {', '.join(TEMPLATES)} for the set {shown!r}")
        units = bleached_sentences(_words(shown, reference, word_sets), kind)
        sets[f"{shown} in sentences"] = {
            "words": list(units),
            "units": {text: list(unit) for text, unit in units.items()},
            "source": word_sets.get(reference, {}).get("citation"),
        }
    names = [f"{shown} in sentences" for shown in (*base.targets, *base.attributes)]
    return (names[: len(base.targets)], names[len(base.targets) :]), sets


def _of_file(
    entry: Mapping[str, Any], base: PlannedQuery | None, word_sets: Mapping[str, Mapping[str, Any]]
) -> tuple[Roles, Sets]:
    """The same of a file of SEAT; without its words the units of sentences are not known."""
    read = read_seat(entry["file"])
    sets: Sets = {name: {"words": list(texts), "source": None} for name, texts in read}
    if base is not None:
        for word_set, (shown, reference) in zip(
            sets.values(), {**base.targets, **base.attributes}.items(), strict=False
        ):
            words = _words(shown, reference, word_sets)
            word_set["units"] = {text: _unit_of(text, words, shown) for text in word_set["words"]}
    elif any(" " in text for word_set in sets.values() for text in word_set["words"]):
        for word_set in sets.values():
            word_set["units"] = {}
    names = tuple(name for name, _ in read)
    return (names[:2], names[2:]), sets


def _words(shown: str, reference: str, word_sets: Mapping[str, Mapping[str, Any]]) -> Sequence[str]:
    # An unknown set is told where the query of words names it.
    words = word_sets.get(reference, {"words": []}).get("words")
    if words is None:
        raise ItemError(f"the set {shown!r} is a lexicon, of which no sentences are made")
    return [next(spellings(word)) for word in words]


def _unit_of(text: str, words: Sequence[str], shown: str) -> list[str]:
    """The longest of the words that stands in a text, and the text around it; a plural counts."""
    for word in sorted(words, key=len, reverse=True):
        forms = [re.escape(word) + "(?:e?s)?"]
        if word.endswith("y"):
            forms.append(re.escape(word[:-1]) + "ies")
        if word.lower().endswith("man"):
            forms.append(re.escape(word[:-2]) + "en")
        pattern = rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)"
        if re.search(pattern, text, re.IGNORECASE):
            return [word, "file", re.sub(pattern, "{}", text, count=1, flags=re.IGNORECASE)]
    raise ItemError(
        f"{text!r} holds no word of the set {shown!r} of words_of; name a query with its words, or "
        "unit: sentence if each sentence stands for itself"
    )
