"""Word sets that parameters name: FILE:SET stands for the words or tuples of the set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fairflow.errors import nearest

# What a parameter takes -> the keys under which a set of config/word_sets may hold it. Of lists, a
# name in the place of all may be a set of tuples, each one list; of one of them it is one of words.
_KEYS = {"words": ("words",), "lists": ("tuples", "words"), "tuples": ("tuples",)}
_IN_A_LIST = ("words",)


def named_sets(parameters: Mapping[str, Any], takes: Mapping[str, str]) -> list[str]:
    """The sets that parameters name, each once.

    Parameters
    ----------
    takes : parameter -> "words", "tuples" or "lists", see `BaseTransform.word_sets`.
    """
    names = (name for key, value in parameters.items() for name in _names(value, takes.get(key)))
    return list(dict.fromkeys(names))


def with_words(
    parameters: Mapping[str, Any],
    takes: Mapping[str, str],
    word_sets: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """Parameters with the words or tuples of sets in the place of their names.

    Parameters
    ----------
    word_sets : FILE:SET -> its entry. A name that is none of them stays.
    """

    def contents(name: Any, keys: Sequence[str]) -> Any:
        entry = word_sets.get(name, {}) if isinstance(name, str) else {}
        return next((entry[key] for key in keys if key in entry), name)

    def value_of(value: Any, kind: str | None) -> Any:
        if kind == "lists" and isinstance(value, list):
            return [contents(each, _IN_A_LIST) for each in value]
        return contents(value, _KEYS[kind]) if kind else value

    return {key: value_of(value, takes.get(key)) for key, value in parameters.items()}


def naming_problems(
    parameters: Mapping[str, Any],
    takes: Mapping[str, str],
    word_sets: Mapping[str, Mapping[str, Any]],
) -> Iterator[str]:
    """A sentence for each name that is no set, or a set of something else."""
    for key, value in parameters.items():
        yield from (
            f"{key}: {name!r} would be a word here. The name of a word set stands alone, without "
            f"brackets: {key}: {name}"
            for name in _sets_among_words(value, takes.get(key), word_sets)
        )
        for name in _names(value, kind := takes.get(key)):
            wanted = _IN_A_LIST if isinstance(value, list) else _KEYS[kind]
            valid = [known for known, entry in word_sets.items() if any(w in entry for w in wanted)]
            if name not in word_sets:
                yield f"{key}: unknown word set {name!r}. {nearest(name, valid)}" + (
                    f" Words themselves stand in lists in the list: [[{name}]]"
                    if isinstance(value, list) and ":" not in name
                    else ""
                )
            elif name not in valid:
                held = next(k for k in ("words", "tuples", "lexicon") if k in word_sets[name])
                yield (
                    f"{key}: {name} is a set with {held}, expected one with {' or '.join(wanted)}. "
                    + nearest(name, valid)
                )


def _names(value: Any, kind: str | None) -> Iterator[str]:
    """What is a name in the value of a parameter: a string in the place of a list."""
    places = value if kind == "lists" and isinstance(value, list) else [value]
    yield from (each for each in places if kind and isinstance(each, str))


def _sets_among_words(value: Any, kind: str | None, word_sets: Iterable[str]) -> Iterator[str]:
    """What stands in a list of words, and is written as the name of a set of a file that exists."""
    files = {name.partition(":")[0] for name in word_sets}
    if kind in ("words", "tuples") and isinstance(value, list):
        for each in value:
            if isinstance(each, str) and ":" in each and each.partition(":")[0] in files:
                yield each
