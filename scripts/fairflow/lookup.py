"""Seeking the words of a set in a vocabulary, with an account of every word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from fairflow.preprocessing import STRATEGIES, Preprocessor, check_options, preprocess_word


@dataclass(frozen=True)
class Lookup:
    """A named policy: which forms of a word are tried, and how many words a set may lose."""

    preprocessors: Sequence[Preprocessor] = ({},)
    strategy: str = "first"
    lost_vocabulary_threshold: float = 0.2

    def __post_init__(self) -> None:
        if not isinstance(self.preprocessors, (list, tuple)) or not self.preprocessors:
            raise TypeError(f"preprocessors must be a non-empty list, got {self.preprocessors!r}")
        for options in self.preprocessors:
            check_options(options)
        if self.strategy not in STRATEGIES:
            raise ValueError(f"strategy must be 'first' or 'all', got {self.strategy!r}")

    def forms(self, word: str, prefix: str | None = None) -> list[str]:
        """The forms of a word in the order in which they are tried."""
        return [preprocess_word(word, options, prefix) for options in self.preprocessors]


@dataclass
class SetLookup:
    """What became of the words of one set.

    Attributes
    ----------
    found : form -> position of its word in the set, in order of first discovery. A form that two
        words share is held once.
    lost : words of which no form is in the vocabulary, each once per occurrence.
    duplicated : words whose form another word of the set had already brought in.
    """

    name: str
    words: list[str]
    found: dict[str, int] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)
    duplicated: list[str] = field(default_factory=list)

    @property
    def share_lost(self) -> float:
        """Lost words over all words, between 0 and 1."""
        return len(self.lost) / len(self.words)

    def as_dict(self) -> dict[str, Any]:
        """The account as plain lists, for JSON."""
        return {
            "name": self.name,
            "words": self.words,
            "found": list(self.found.items()),
            "lost": self.lost,
            "duplicated": self.duplicated,
        }

    @classmethod
    def from_dict(cls, account: dict[str, Any]) -> SetLookup:
        """The inverse of `as_dict`."""
        return cls(**{**account, "found": dict(account["found"])})


def look_up_set(
    name: str,
    words: Sequence[str],
    contains: Callable[[str], bool],
    lookup: Lookup,
    prefix: str | None = None,
) -> SetLookup:
    """Seek each word of a set, in order.

    Parameters
    ----------
    contains : tells whether a form is in the vocabulary.
    prefix : put in front of each form after preprocessing (the vocabulary's own prefix).
    """
    account = SetLookup(name, list(words))
    for position, word in enumerate(words):
        present = [form for form in lookup.forms(word, prefix) if contains(form)]
        if not present:
            account.lost.append(word)
            continue
        chosen = present[:1] if lookup.strategy == "first" else present
        if all(form in account.found for form in chosen):
            account.duplicated.append(word)
        for form in chosen:
            account.found.setdefault(form, position)
    return account


def rejection(accounts: Sequence[SetLookup], threshold: float) -> str | None:
    """Why a query is undefined, or None: sets that lost more than `threshold` of their words."""
    sentences = [
        f"{account.name} lost {len(account.lost)} of {len(account.words)} words "
        f"({', '.join(account.lost)}), more than the allowed share of {threshold:g}"
        for account in accounts
        if account.share_lost > threshold
    ]
    return "; ".join(sentences) or None
