"""What a query of config/queries declares besides its sets: pairs, a property, a vocabulary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fairflow.errors import FairflowError, nearest
from fairflow.planning.named_sets import named_sets, naming_problems, with_words
from fairflow.queries.properties import line_of, read_property
from fairflow.queries.query import DECLARABLE, PAIRS, PROPERTY, VOCABULARY, declared_of

PROPERTIES = "properties"
_TAKES = {PAIRS: "tuples", "without": "lists"}

Sets = Mapping[str, Mapping[str, Any]]


class Declaration(NamedTuple):
    """What an entry declares.

    Attributes
    ----------
    plain : pairs and vocabulary, as `fairflow.queries.query.declared_of` takes them.
    word_sets : those that they come from, FILE:SET. property_file : "" without one.
    """

    plain: dict[str, Any]
    word_sets: tuple[str, ...]
    property_file: str


def declaration(entry: Mapping[str, Any], word_sets: Sets, folder: Path) -> Declaration:
    """What an entry without faults declares.

    Parameters
    ----------
    word_sets : FILE:SET -> entry, those of tuples too. folder : of the configuration.
    """
    named = _named(entry)
    values = with_words(named, _TAKES, word_sets)
    plain: dict[str, Any] = {}
    if PAIRS in entry:
        plain[PAIRS] = [list(pair) for pair in values[PAIRS]]
    if VOCABULARY in entry:
        left_out = dict.fromkeys(word for words in values.get("without", ()) for word in words)
        plain[VOCABULARY] = _size(entry[VOCABULARY]) | {"without": list(left_out)}
    file = property_file(folder, entry[PROPERTY]) if PROPERTY in entry else ""
    return Declaration(plain, tuple(named_sets(named, _TAKES)), file)


def property_file(folder: Path, name: str) -> str:
    """Where a property lies."""
    return str(folder / PROPERTIES / f"{name}.csv")


def declaration_problems(entry: Mapping[str, Any], word_sets: Sets, folder: Path) -> Iterator[str]:
    """A sentence for each fault of what an entry declares."""
    if "targets" not in entry and PAIRS not in entry:
        yield "it has neither targets nor pairs: name at least one of both"
    name = entry.get(PROPERTY)
    if name is not None and not Path(property_file(folder, name)).is_file():
        there = sorted(path.stem for path in (folder / PROPERTIES).glob("*.csv"))
        yield f"{PROPERTY}: unknown property {name!r}. {nearest(name, there)}"
    elif name is not None:
        targets = (entry.get("targets") or {}).values()
        yield from _property_problems(property_file(folder, name), [*targets], word_sets)
    faults = [*naming_problems(_named(entry), _TAKES, word_sets)]
    yield from faults
    if faults:
        return
    try:
        declared_of(declaration(entry, word_sets, folder).plain)
    except ValueError as error:
        yield str(error)


def _property_problems(path: str, targets: Sequence[Any], word_sets: Sets) -> Iterator[str]:
    """The first fault of a property file, with its line; or its first word that no set holds.

    Parameters
    ----------
    targets : names of the target sets of the query that declares it.
    """
    try:
        values = read_property(path).values
    except FairflowError as error:
        yield str(error)
        return
    listed = {word for entry in word_sets.values() for word in entry.get("words", ())}
    unknown = next((word for word in values if word not in listed), None)
    asked = [word_sets[name] for name in targets if isinstance(name, str) and name in word_sets]
    # The words of a lexicon are not known before it is downloaded.
    if unknown is None or any("words" not in entry for entry in asked):
        return
    yield (
        f"{path}, line {line_of(path, unknown)}: {unknown!r} is in no word set. "
        f"{nearest(unknown, [word for entry in asked for word in entry['words']])} A word that no "
        "query asks for has no place here: correct it, leave it out, or list it in config/word_sets"
    )


def _named(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What may name word sets, by parameter."""
    vocabulary = entry.get(VOCABULARY)
    without = vocabulary.get("without", []) if isinstance(vocabulary, Mapping) else []
    return {**({PAIRS: entry[PAIRS]} if PAIRS in entry else {}), "without": without}


def _size(vocabulary: Any) -> dict[str, Any]:
    """Which words a vocabulary takes: a number, `all`, or both keys."""
    if not isinstance(vocabulary, Mapping):
        vocabulary = {"first": vocabulary}
    first = vocabulary.get("first", "all")
    return {
        "first": None if first == "all" else first,
        "limited": vocabulary.get("limited", False),
    }


def declares(entry: Mapping[str, Any]) -> list[str]:
    """Which of `DECLARABLE` an entry has."""
    return [name for name in DECLARABLE if name in entry]
