"""Seeking the words of a set in a vocabulary, with an account of every word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from fairflow.queries.preprocessing import STRATEGIES, Preprocessor, check_options, transform_word

ZERO_VECTORS = ("error", "lost")
SHARED_WORDS = ("keep", "drop", "refuse")


@dataclass(frozen=True)
class Lookup:
    """A named policy: which forms of a word are tried, and what may go wrong.

    Attributes
    ----------
    preprocessors : forms of a word, in the order in which they are tried.
    strategy : "first" takes the first form that the model holds, "all" every one.
    lost_vocabulary_threshold : a set that loses a larger share of its words makes the query
        undefined.
    zero_vectors : a zero or non-finite vector makes the query undefined ("error") or counts as
        not found ("lost").
    shared_words : a word of several target sets stays in each ("keep"), is left out of all
        ("drop") or makes the query undefined ("refuse"). It is reported in any case.
    """

    preprocessors: Sequence[Preprocessor] = ({},)
    strategy: str = "first"
    lost_vocabulary_threshold: float = 0.2
    zero_vectors: str = "error"
    shared_words: str = "keep"

    def __post_init__(self) -> None:
        if not isinstance(self.preprocessors, (list, tuple)) or not self.preprocessors:
            raise TypeError(f"preprocessors must be a non-empty list, got {self.preprocessors!r}")
        for options in self.preprocessors:
            check_options(options)
        for name, valid in (
            ("strategy", STRATEGIES),
            ("zero_vectors", ZERO_VECTORS),
            ("shared_words", SHARED_WORDS),
        ):
            if getattr(self, name) not in valid:
                choices = " or ".join(map(repr, valid))
                raise ValueError(f"{name} must be {choices}, got {getattr(self, name)!r}")


@dataclass
class SetLookup:
    """What became of the words of one set.

    Attributes
    ----------
    found : form -> position of its word in the set, in order of first discovery. A form that two
        words share is held once.
    form_of : the first form found of each word of the set, None for a lost one.
    preprocessors : form -> position of the preprocessor that made it.
    n_found : words of which a form was found, duplicates counted; with the lost ones, all words.
    lost : words of which no form was found, each once per occurrence.
    duplicated : words whose form another word of the set had already brought in.
    shared : words whose form another target set has brought in too.
    composed : words of which no form is listed, found by a vector that is made of their parts.
    """

    name: str
    words: list[str]
    found: dict[str, int] = field(default_factory=dict)
    form_of: list[str | None] = field(default_factory=list)
    preprocessors: dict[str, int] = field(default_factory=dict)
    n_found: int = 0
    lost: list[str] = field(default_factory=list)
    duplicated: list[str] = field(default_factory=list)
    shared: list[str] = field(default_factory=list)
    composed: list[str] = field(default_factory=list)

    @property
    def share_lost(self) -> float:
        """Lost words over all words, between 0 and 1."""
        return len(self.lost) / len(self.words)

    @property
    def respelt(self) -> list[tuple[str, str]]:
        """(word, form) of words found under another form than the one written."""
        pairs = ((self.words[position], form) for form, position in self.found.items())
        return [(word, form) for word, form in pairs if word != form]


def look_up_set(
    name: str,
    words: Sequence[str],
    contains: Callable[[str], bool],
    lookup: Lookup,
    prefix: str | None = None,
    composes: Callable[[str], bool] | None = None,
) -> SetLookup:
    """Seek each word of a set, in order.

    Parameters
    ----------
    contains : tells whether a form is in the vocabulary.
    prefix : put in front of each form after preprocessing (the vocabulary's own prefix).
    composes : whether a form that is not in the vocabulary has a vector made of its parts. Asked of
        the first form of a word of which no form is in the vocabulary.
    """
    account = SetLookup(name, list(words))
    position_of, form_of = account.found, account.form_of
    choose = _first_form if lookup.strategy == "first" else _every_form
    for position, word in enumerate(account.words):
        chosen = choose(word, contains, lookup.preprocessors, prefix)
        if not chosen and composes:
            chosen = _first_form(word, composes, lookup.preprocessors[:1], prefix)
            account.composed += [word] * len(chosen)
        form_of.append(chosen[0][0] if chosen else None)
        new = [(form, number) for form, number in chosen if form not in position_of]
        for form, number in new:
            position_of[form] = position
            account.preprocessors[form] = number
        if not chosen:
            account.lost.append(word)
        elif not new:
            account.duplicated.append(word)
    account.n_found = len(account.words) - form_of.count(None)
    return account


def _first_form(
    word: str,
    contains: Callable[[str], bool],
    preprocessors: Sequence[Preprocessor],
    prefix: str | None,
) -> list[tuple[str, int]]:
    for number, options in enumerate(preprocessors):
        form = transform_word(word, options, prefix) if options or prefix else word
        if contains(form):
            return [(form, number)]
    return []


def _every_form(
    word: str,
    contains: Callable[[str], bool],
    preprocessors: Sequence[Preprocessor],
    prefix: str | None,
) -> list[tuple[str, int]]:
    forms = [transform_word(word, options, prefix) for options in preprocessors]
    return [(form, number) for number, form in enumerate(forms) if contains(form)]


def shared_forms(accounts: Sequence[SetLookup]) -> set[str]:
    """The forms that several sets have brought in."""
    uses = Counter(form for account in accounts for form in account.found)
    return {form for form, number in uses.items() if number > 1}


def rejection(accounts: Sequence[SetLookup], threshold: float) -> str | None:
    """Why a query is undefined, or None: sets that lost more than `threshold` of their words."""
    sentences = [
        f"{account.name} lost {len(account.lost)} of {len(account.words)} words "
        f"({', '.join(account.lost)}), more than the allowed share of {threshold:g}"
        for account in accounts
        if account.share_lost > threshold
    ]
    return "; ".join(sentences) or None
