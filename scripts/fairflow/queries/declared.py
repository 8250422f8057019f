"""What a query declares besides its word sets, for metrics that need it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

PAIRS, PROPERTY, VOCABULARY = DECLARABLE = ("pairs", "property", "vocabulary")
# What each is, in a sentence that says what is missing.
MEANINGS = {
    PAIRS: "pairs of words that differ in the bias alone",
    PROPERTY: "a property of words, a file of config/properties",
    VOCABULARY: "a vocabulary among which words are sought",
}


@dataclass(frozen=True)
class Vocabulary:
    """Which words of a model are looked at.

    Attributes
    ----------
    first : so many of the first words, which are the most frequent where the file of the model is
        ordered so; None for all.
    limited : of these those of Gonen and Goldberg's limited vocabulary alone, see
        `fairflow.vectors.most_frequent.plain_words`.
    without : words that are left out.

    Raises
    ------
    ValueError : fewer than one word.
    """

    first: int | None = None
    limited: bool = False
    without: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.first is not None and self.first < 1:
            raise ValueError(f"vocabulary: expected a number of words from 1, got {self.first!r}")


@dataclass(frozen=True)
class Declared:
    """Pairs, a property and a vocabulary of a query, each or none of them.

    Attributes
    ----------
    pairs : of words that differ in the bias alone, for a direction from the second to the first.
    values : of the property, word -> number. vocabulary : which words of the model are looked at.

    Raises
    ------
    ValueError : a pair of one word or of three.
    """

    pairs: tuple[tuple[str, str], ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)
    vocabulary: Vocabulary | None = None

    def __post_init__(self) -> None:
        for pair in self.pairs:
            if len(pair) != 2:
                raise ValueError(f"pairs: expected two words, found {', '.join(pair)}")

    @property
    def names(self) -> frozenset[str]:
        """Which of `DECLARABLE` there are."""
        given = {PAIRS: self.pairs, PROPERTY: self.values, VOCABULARY: self.vocabulary}
        return frozenset(name for name, what in given.items() if what)

    def __bool__(self) -> bool:
        return bool(self.names)

    def as_targets(self) -> dict[str, list[str]]:
        """The words of the pairs as a target set, for a query that names none."""
        return {PAIRS: list(dict.fromkeys(word for pair in self.pairs for word in pair))}

    def plain(self) -> dict[str, Any]:
        """As plain values, those that there are alone; the argument of `declared_of`."""
        given: dict[str, Any] = {
            PAIRS: [list(pair) for pair in self.pairs],
            PROPERTY: dict(self.values),
            VOCABULARY: self.vocabulary
            and vars(self.vocabulary) | {"without": list(self.vocabulary.without)},
        }
        return {name: given[name] for name in DECLARABLE if name in self.names}

    def text(self) -> str:
        """A text that depends on all of it, "" where there is nothing."""
        return json.dumps(self.plain(), ensure_ascii=False, sort_keys=True) if self else ""


def declared_of(plain: Mapping[str, Any]) -> Declared:
    """The inverse of `Declared.plain`; other keys are passed over.

    Raises
    ------
    ValueError : a pair that is none, a vocabulary of no words.
    """
    asked = plain.get(VOCABULARY)
    if asked is not None:
        asked = Vocabulary(**{**asked, "without": tuple(asked.get("without", ()))})
    pairs = tuple(tuple(pair) for pair in plain.get(PAIRS, ()))
    return Declared(pairs, dict(plain.get(PROPERTY, {})), asked)


def missing(needs: Iterable[str], declared: Iterable[str]) -> str | None:
    """The sentence that says what a metric needs and a query does not declare, or None."""
    there = {*declared}
    lacking = [name for name in needs if name not in there]
    if not lacking:
        return None
    return "needs " + " and ".join(f"{name} ({MEANINGS[name]})" for name in lacking)
