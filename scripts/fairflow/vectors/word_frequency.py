"""The frequency of the words of a model: from its order, from wordfreq, or unknown.

wordfreq (Speer 2022, https://doi.org/10.5281/zenodo.7199437) has frozen lists of how often words of
some forty languages occur in up to eight kinds of text, at least once in 100 million words.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from fairflow.files.checked_files import read_sealed, write_sealed
from fairflow.statistics.rank_tests import weighted_spearman

OWN_ORDER = "order of the model"
LANGUAGE_LIST = "wordfreq"

# A letter first, then no space, and only - and ' as ASCII signs: no number, phrase or tag.
WORD = re.compile(r"[^\W\d_](?:[^\s!-/:-@\[-`{-~]|['-])*")
COMMONEST = 10_000
LEAST_SHARE = 0.75
LEAST_CORRELATION = 0.5
MOST_SORTED = 0.95


logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class WordFrequency:
    """The source of the word frequencies of a model.

    Attributes
    ----------
    source : `OWN_ORDER`; `LANGUAGE_LIST` with its version and language; None if unknown.
    words : for the list of a language, the words of the model in it, the most frequent first.
    shares : the share of each of them in texts.
    reason : why the frequencies are unknown, or None.
    """

    source: str | None
    words: tuple[str, ...] = ()
    shares: tuple[float, ...] = ()
    reason: str | None = None

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Case-folded word -> its position among `words`."""
        return dict(zip(map(str.casefold, self.words), range(len(self.words)), strict=True))


# Beginning of the reason for a curated vocabulary.
CHOSEN = "the words of the model were chosen: "
UNKNOWN = WordFrequency(
    None,
    reason="how frequent the words of the model are is not known: its entry names no order of "
    "frequency, and not one language alone that has a list",
)


def word_frequency(
    words: Sequence[str],
    order: str | None = None,
    language: str | None = None,
    curated: str | None = None,
    prefix: str | None = None,
    every: bool = False,
) -> WordFrequency:
    """Choose the source of the word frequencies of a model.

    The model's own order is best, if it is declared and consistent with its words; else the list of
    its language. Words that were chosen by another criterion than frequency have no random
    counterparts of like frequency, whatever tells it.

    Parameters
    ----------
    words : of the model, in its order.
    order : "frequency" if the most frequent words come first. language : of the words, a code of
        wordfreq. curated : how the words were chosen, if not by frequency alone.
    prefix : of the words that are of that language.
    every : the model has a vector for every word of the language; `words` are those that it has
        as whole tokens, which show whether it was made for that language.

    Raises
    ------
    LookupError : wordfreq has no list of the language.
    """
    if curated:
        return WordFrequency(None, reason=f"{CHOSEN}{curated}")
    if order != "frequency" and language is None:
        return UNKNOWN
    frequencies = language_list(language) if language else {}
    # Twice as fast as a check of each of a million words.
    plain = [w.removeprefix(prefix) for w in words if w.startswith(prefix)] if prefix else words
    problem = _contradiction(words, plain, frequencies) if order == "frequency" else None
    problem = problem or _gaps(plain, language, frequencies)
    if problem:
        return WordFrequency(None, reason=problem)
    if order == "frequency":
        return WordFrequency(OWN_ORDER)
    return _listed(frequencies if every else plain, language, frequencies, prefix or "")


# Enough to see that words are in order of frequency, and a tenth of the longest vocabularies.
FIRST_WORDS = 300_000


def order_of_words(words: Iterable[str], stated: Mapping[str, Any]) -> WordFrequency:
    """What tells how frequent the words of a model are; a warning where nothing does.

    Parameters
    ----------
    words : of the model, in its order. stated : what the entry of the model says, as
        `word_frequency` takes it.
    """
    of_file = stated["order"] == "frequency"
    found = word_frequency([*islice(words, FIRST_WORDS if of_file else None)], **stated)
    if found.reason:
        logger.warning("No random words will be drawn: %s", found.reason)
    return found


def language_list(language: str) -> dict[str, float]:
    """Word in lower case -> its share in texts, the most frequent first."""
    # This takes half a second and 100 MB, so that only jobs that need it import it.
    from wordfreq import get_frequency_dict

    frequencies = get_frequency_dict(language)
    return dict(sorted(frequencies.items(), key=lambda item: (-item[1], item[0])))


def write_language_list(language: str, path: str | Path) -> None:
    """Write the list of a language: words in lower case, the logarithms of their shares.

    Raises
    ------
    LookupError : wordfreq has no list of the language.
    """
    import pyarrow as pa

    from fairflow.files.parquet import write_parquet

    shares = language_list(language)
    logs = np.log10(np.fromiter(shares.values(), float, len(shares)))
    write_parquet(pa.table({"word": [*shares], "log_share": logs}), path)


def read_language_list(path: str | Path) -> dict[str, float]:
    """Word in lower case -> the decimal logarithm of its share in texts, below 0.

    Raises
    ------
    FairflowError : the file is damaged.
    """
    from fairflow.files.parquet import read_parquet

    columns = read_parquet(path, "list of word frequencies").to_pydict()
    return dict(zip(columns["word"], columns["log_share"], strict=True))


def folded(word: str, prefix: str = "") -> str:
    """A word in the form of frequency lists."""
    return word.removeprefix(prefix).casefold()


def write_word_frequency(frequency: WordFrequency, path: str | Path) -> None:
    """Write it as JSON."""
    # One text each: checksums of several hundred thousand values would be slow.
    listed = {"words": frequency.words, "shares": map(repr, frequency.shares)}
    texts = {name: "\n".join(values) for name, values in listed.items()}
    write_sealed({"source": frequency.source, "reason": frequency.reason} | texts, path)


def read_word_frequency(path: str | Path) -> WordFrequency:
    """The inverse of `write_word_frequency`.

    Raises
    ------
    FairflowError : the file is damaged.
    """
    fields = read_sealed(path, "file of the frequency of words")
    return WordFrequency(
        fields["source"],
        tuple(fields["words"].split()),
        tuple(map(float, fields["shares"].split())),
        fields["reason"],
    )


def _listed(
    plain: Iterable[str], language: str | None, frequencies: Mapping[str, float], prefix: str
) -> WordFrequency:
    """The frequencies from the list of a language, of words without their prefix."""
    from importlib.metadata import version

    source = f"{LANGUAGE_LIST} {version(LANGUAGE_LIST)}, {language}"
    spelling: dict[str, str] = {}
    for word in plain:
        key = word.casefold()
        if key in frequencies and WORD.fullmatch(word):
            # The list counts all spellings together; most words are usually in lower case.
            spelling[key] = word if word == key else spelling.get(key, word)
    listed = [key for key in frequencies if key in spelling]
    return WordFrequency(
        source,
        tuple(f"{prefix}{spelling[key]}" for key in listed),
        tuple(frequencies[key] for key in listed),
    )


def _contradiction(
    words: Sequence[str], plain: Iterable[str], frequencies: Mapping[str, float]
) -> str | None:
    """Why the words are not in order of frequency, or None."""
    keys = [word.casefold() for word in words]
    in_order = sum(left <= right for left, right in pairwise(keys))
    if len(keys) > 1 and in_order / (len(keys) - 1) > MOST_SORTED:
        return (
            "the entry of the model says order: frequency, but its words are in alphabetical "
            "order: correct the entry"
        )
    # Words with capitals are rarer than in the list, which counts all spellings together.
    listed = np.array([frequencies[word] for word in plain if word in frequencies])
    if len(listed) < 2:
        return None
    correlation = float(weighted_spearman(-np.arange(len(listed))[None], listed[None])[0])
    if correlation >= LEAST_CORRELATION:
        return None
    return (
        "the entry of the model says order: frequency, but the rank correlation of its order with "
        f"the frequencies of wordfreq is {correlation:.2f}, and at least {LEAST_CORRELATION} where "
        "that holds: correct the entry"
    )


def _gaps(
    plain: Iterable[str], language: str | None, frequencies: Mapping[str, float]
) -> str | None:
    """Why the words of the model are not just the most frequent ones of a language, or None."""
    # Models differ in how they split words with an apostrophe.
    common = (word for word in frequencies if WORD.fullmatch(word) and "'" not in word)
    commonest = list(islice(common, COMMONEST))
    if not commonest:
        return None
    present = set(map(str.casefold, plain))
    share = sum(word in present for word in commonest) / len(commonest)
    if share >= LEAST_SHARE:
        return None
    return (
        f"the model has {share:.0%} of the {len(commonest):,} commonest words of its language "
        f"({language}), less than {LEAST_SHARE:.0%}: others would not be random words"
    )


Vectors = Callable[[Sequence[str]], np.ndarray]


class WordOrder(Protocol):
    """Words from the most to the least frequent: row 0, 1, ..."""

    @property
    def rows(self) -> int:
        """The number of rows."""

    def row_of(self, word: str) -> int:
        """The row of a word; KeyError for a word without a row."""

    def at_rows(self, rows: Sequence[int], step: int = 1) -> tuple[dict[int, str], np.ndarray]:
        """Row -> word of those rows that hold a word, and their vectors: (words, dims).

        Most rows are multiples of `step`, which may make them faster to find.
        """


class ListedWords:
    """A `WordOrder` of the words in the list of a language, in any case.

    Parameters
    ----------
    vectors : reads the rows of words.
    """

    def __init__(self, frequency: WordFrequency, vectors: Vectors) -> None:
        self._frequency, self._vectors = frequency, vectors
        self.rows = len(frequency.words)

    def row_of(self, word: str) -> int:
        """The position of a word."""
        return self._frequency.row_of[word.casefold()]

    def at_rows(self, rows: Sequence[int], step: int = 1) -> tuple[dict[int, str], np.ndarray]:
        """The words at some positions, and their vectors."""
        words = {row: self._frequency.words[row] for row in rows}
        return words, self._vectors(list(words.values()))


def word_order(own: Any, vectors: Vectors, frequency: WordFrequency) -> WordOrder | None:
    """The words of a model by frequency; None if this is unknown, or the model has no order.

    Parameters
    ----------
    own : the words of the model, a `WordOrder` if they have an order.
    """
    if frequency.source not in (None, OWN_ORDER):
        return ListedWords(frequency, vectors)
    return own if frequency.source and hasattr(own, "at_rows") else None
