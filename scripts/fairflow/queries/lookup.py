"""Looking up the words of a set in a vocabulary: spellings, preprocessing, an account of each."""

from __future__ import annotations

import logging
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from fairflow.errors import nearest

logger = logging.getLogger(__name__)

# Alphabets with letters that look alike.
_ALIKE = {"LATIN", "CYRILLIC", "GREEK"}
# Scripts of other alphabets, and emoji, need them.
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_LETTERS = re.compile(r"[^\W\d_]+")


def spelling_problem(word: str) -> str | None:
    """Why a text cannot be a word, and what to do, as part of a sentence; None if it can be one.

    Control characters, ends of lines, marks of byte order, spaces but the plain one within, signs
    of no width and letters of two alphabets that look alike.
    """
    if word.isascii() and word.isprintable() and word == word.strip():
        return None
    if word != word.strip(" "):
        return f"{word!r} begins or ends with a space: remove it"
    alphabets = {_alphabet(sign) for sign in word}
    for sign in word:
        unseen = sign == "\ufffd" or (sign != " " and unicodedata.category(sign)[0] in "CZ")
        if unseen and (sign not in _JOINERS or alphabets & _ALIKE):
            return f"{word!r} holds {_named(sign)}, which no word holds: remove it"
    for part in _LETTERS.findall(word):
        first = {_alphabet(sign): sign for sign in reversed(part) if _alphabet(sign) in _ALIKE}
        if len(first) > 1:
            found = " and ".join(map(_named, sorted(first.values(), key=part.index)))
            return f"{word!r} holds {found}, of alphabets that look alike: write it in one"
    return None


@cache
def _alphabet(sign: str) -> str:
    return unicodedata.name(sign, "").partition(" ")[0]


def _named(sign: str) -> str:
    return unicodedata.name(sign, f"the character U+{ord(sign):04X}")


def spellings(form: str) -> Iterator[str]:
    """A form in Unicode's composed form (NFC), as it is written, and decomposed, each once."""
    if form.isascii():
        yield form
        return
    composed, decomposed = (unicodedata.normalize(way, form) for way in ("NFC", "NFD"))
    yield from dict.fromkeys((composed, form, decomposed))


Preprocessor = Mapping[str, Any]

# Languages whose I without a dot, and İ with one, are two letters in lower case, too.
DOTTED = ("tr", "az")


_DOTLESS_I = "\N{LATIN SMALL LETTER DOTLESS I}"
_DOTTED_I = "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}"


_CASES = {"lowercase": str.lower, "uppercase": str.upper, "titlecase": str.title}
OPTIONS = ("preprocessor", *_CASES, "strip_accents", "underscores")
ONE_CASE = "one_case"
STRATEGIES = ("first", "all", ONE_CASE)

_AS_WRITTEN: Preprocessor = {}


def preprocess_word(
    word: str, options: Preprocessor | None = _AS_WRITTEN, vocab_prefix: str | None = None
) -> str:
    """Transform one word and put the vocabulary prefix in front of it.

    Parameters
    ----------
    options : any of `preprocessor` (None, or a callable, which makes the others irrelevant),
        `lowercase` (True, or "tr" or "az" for its rule), `uppercase`, `titlecase` (the first true
        one of these three counts), `strip_accents` (True or "unicode": combining marks dropped
        after NFKD; "ascii": all but ASCII dropped) and `underscores` (True: for spaces).

    Raises
    ------
    TypeError : an option that does not exist; the message names the nearest one.
    """
    options = options or {}
    check_options(options)
    return transform_word(word, options, vocab_prefix)


def transform_word(word: str, options: Preprocessor, vocab_prefix: str | None) -> str:
    """`preprocess_word` with options that have been checked."""
    if not options:
        return (vocab_prefix or "") + word
    function: Callable[[str], str] | None = options.get("preprocessor")
    if function is not None:
        word = function(word)
    else:
        case = next((name for name in _CASES if options.get(name)), "")
        if options.get(case) in DOTTED:
            word = word.replace("I", _DOTLESS_I).replace(_DOTTED_I, "i")
        word = _strip_accents(_CASES.get(case, str)(word), options.get("strip_accents", False))
        word = word.replace(" ", "_") if options.get("underscores") else word
    return (vocab_prefix or "") + word


def check_options(options: Preprocessor) -> None:
    """Refuse preprocessor options that do not exist.

    Raises
    ------
    TypeError : not a mapping, an unknown option, or a value that the option does not take.
    """
    if not isinstance(options, Mapping):
        raise TypeError(f"a preprocessor must be a dict of options, got {options!r}")
    for name in options:
        if name not in OPTIONS:
            raise TypeError(f"unknown preprocessor option {name!r}. {nearest(name, OPTIONS)}")
    function = options.get("preprocessor")
    if function is not None and not callable(function):
        raise TypeError(f"preprocessor must be callable, got {function!r}")
    accents = options.get("strip_accents", False)
    if accents not in (True, False, "unicode", "ascii"):
        raise TypeError(f"strip_accents must be True, 'unicode' or 'ascii', got {accents!r}")


def _strip_accents(word: str, how: bool | str) -> str:
    if not how:
        return word
    decomposed = unicodedata.normalize("NFKD", word)
    if how == "ascii":
        return decomposed.encode("ascii", "ignore").decode("ascii")
    return "".join(character for character in decomposed if not unicodedata.combining(character))


ZERO_VECTORS = ("absent", "error", "lost")
SHARED_WORDS = ("keep", "drop", "refuse")
REPEATED_WORDS = ("once", "keep")

OF_ANOTHER_LANGUAGE = (
    "are these vectors of another language than the queries? LISTS=TAG (--language TAG) names it. "
    "Or has each word a prefix, as in /c/fr/nom? Save the words without it"
)


@dataclass(frozen=True)
class Lookup:
    """A named policy: which forms of a word are tried, and what may go wrong.

    Attributes
    ----------
    preprocessors : forms of a word, in the order in which they are tried.
    strategy : "first" takes the first form that the model holds, "all" every one; "one_case" is
        "first", with forms in another case only where the model has, as written, no word with
        capitals of the query, as a model in lower case.
    lost_vocabulary_threshold : a set that loses a larger share of its words makes the query
        undefined.
    zero_vectors : a word with a vector of zeros counts as not found, because vectors of periods
        write so a word that is too rare in one (Hamilton et al. 2016, HistWords), and NaN or
        infinity makes the query undefined ("absent"); both do that ("error"); both count as not
        found ("lost").
    shared_words : a word of several target sets stays in each ("keep"), is left out of all
        ("drop") or makes the query undefined ("refuse"). It is reported in any case.
    repeated_words : a word that a set holds several times counts "once", or as often as it is
        listed ("keep"). Tests and intervals have it as one word in any case.
    """

    preprocessors: Sequence[Preprocessor] = ({},)
    strategy: str = "first"
    lost_vocabulary_threshold: float = 0.2
    zero_vectors: str = "absent"
    shared_words: str = "keep"
    repeated_words: str = "once"

    def __post_init__(self) -> None:
        if not isinstance(self.preprocessors, (list, tuple)) or not self.preprocessors:
            raise TypeError(f"preprocessors must be a non-empty list, got {self.preprocessors!r}")
        for options in self.preprocessors:
            check_options(options)
        if not 0 <= self.lost_vocabulary_threshold <= 1:
            told = f"a share of words, from 0 to 1, got {self.lost_vocabulary_threshold!r}"
            raise ValueError(f"lost_vocabulary_threshold is {told}")
        for name, valid in (
            ("strategy", STRATEGIES),
            ("zero_vectors", ZERO_VECTORS),
            ("shared_words", SHARED_WORDS),
            ("repeated_words", REPEATED_WORDS),
        ):
            if getattr(self, name) not in valid:
                choices = " or ".join(map(repr, valid))
                raise ValueError(f"{name} must be {choices}, got {getattr(self, name)!r}")


@dataclass
class SetLookup:
    """The result of looking up the words of one set.

    Attributes
    ----------
    found : form -> position of its word in the set, in order of first discovery. A form that two
        words share is held once.
    form_of : the first form found of each word of the set, None for a lost one.
    preprocessors : form -> position of the preprocessor that made it.
    n_found : number of words with a form in the vocabulary, duplicates counted.
    lost : words without a form in the vocabulary, each once per occurrence.
    duplicated : words whose form another word of the set had already brought in.
    shared : words whose form another target set has brought in too.
    composed : words without a listed form whose vector is made of their subword n-grams.
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


def without_other_cases(
    lookup: Lookup,
    sets: Sequence[Sequence[str]],
    contains: Callable[[str], bool],
    prefix: str | None = None,
) -> Lookup:
    """A look-up by the strategy "one_case", for a query with these sets in a vocabulary."""
    if lookup.strategy != ONE_CASE:
        return lookup
    as_written = [how for how in lookup.preprocessors if not any(map(how.get, _CASES))]
    own = replace(lookup, preprocessors=as_written, strategy="first")
    capitals = [word for words in sets for word in words if word != word.lower()]
    found = look_up_set("", capitals, contains, own, prefix).found
    return own if found else replace(own, preprocessors=lookup.preprocessors)


def look_up_set(
    name: str,
    words: Sequence[str],
    contains: Callable[[str], bool],
    lookup: Lookup,
    prefix: str | None = None,
    composes: Callable[[str], bool] | None = None,
) -> SetLookup:
    """Look up each word of a set, in order.

    Each form is looked up in Unicode's composed form (NFC), as it is written, and decomposed.

    Parameters
    ----------
    contains : tells whether a form is in the vocabulary.
    prefix : put in front of each form after preprocessing (the vocabulary's own prefix).
    composes : whether a form that is not in the vocabulary has a vector made of its parts. Used for
        the first form of a word without any form in the vocabulary.
    """
    account = SetLookup(name, list(words))
    position_of, form_of = account.found, account.form_of
    for position, word in enumerate(account.words):
        chosen = _forms(word, contains, lookup.preprocessors, prefix, lookup.strategy)
        if not chosen and composes:
            chosen = _forms(word, composes, lookup.preprocessors[:1], prefix, "first")
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


def _forms(
    word: str,
    contains: Callable[[str], bool],
    preprocessors: Sequence[Preprocessor],
    prefix: str | None,
    strategy: str,
) -> list[tuple[str, int]]:
    """The forms in the vocabulary, the first or all, each with the position of its preprocessor."""
    chosen = []
    for number, options in enumerate(preprocessors):
        form = transform_word(word, options, prefix) if options or prefix else word
        for spelt in spellings(form):
            if contains(spelt):
                chosen.append((spelt, number))
                break
        if chosen and strategy != "all":
            break
    return chosen


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


def log_lost_words(name: str, account: SetLookup) -> None:
    """Log the words of a set that have no vector, and those with one made of their parts."""
    for what, words in (("not found", account.lost), ("composed of n-grams", account.composed)):
        if words:
            logger.warning("%s: %s: %s", name, what, ", ".join(dict.fromkeys(words)))
