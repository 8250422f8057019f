"""The words that transforms take as parameters: their checks, and their look-up in a base."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fairflow.errors import FairflowError, nearest
from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.word_rows import WordRows, word_rows

_QUOTES = (
    ". YAML reads an unquoted no, yes, on, off, null or number as something else: put it in quotes"
)
_AS_WRITTEN = "Words are looked up as they are written: give them as the model has them"
_LISTS = (
    ". Write lists in a list, [[he, his], [she, her]], and the name of one set without brackets"
)


def word_list(name: str, given: Any, least: int = 0) -> tuple[str, ...]:
    """A list of words, each once and in its order.

    Raises
    ------
    ValueError : it is not a list of words, or has fewer than `least` words.
    """
    if not _is_list(given):
        hint = _LISTS if isinstance(given, str) else ""
        raise ValueError(f"{name} must be a list of words, found {given!r}{hint}")
    words = list(given)
    if wrong := [word for word in words if not isinstance(word, str) or not word]:
        hint = _QUOTES if wrong[0] is None or isinstance(wrong[0], int | float) else ""
        raise ValueError(f"{name} must be a list of words, found {wrong[0]!r} in it{hint}")
    words = list(dict.fromkeys(words))
    if len(words) < least:
        raise ValueError(f"{name} must hold at least {least} words, found {words}")
    return tuple(words)


def joined_lists(name: str, given: Any, least: int = 1) -> tuple[str, ...]:
    """The words of a list of words, or of a list of such lists, each once.

    Raises
    ------
    ValueError : it is neither, or has fewer than `least` words.
    """
    if not _is_list(given):
        return word_list(name, given)
    words: list[str] = []
    for part in given:
        words += [part] if isinstance(part, str) else word_list(name, part)
    return word_list(name, words, least)


def sets_of_words(
    name: str, given: Any, size: int | None = None, least: int = 1
) -> tuple[tuple[str, ...], ...]:
    """A list of sets of words, unchanged; `size` is the number of words that each must have.

    Raises
    ------
    ValueError : it is not such a list; a set of another size, or with fewer than two words; a
        repeated word in a set; fewer than `least` sets.
    """
    sets = []
    for number, words in enumerate(_lists(name, given), start=1):
        listed = word_list(f"{name}, entry {number},", words)
        if len(listed) != len(list(words)):
            raise ValueError(f"{name}, entry {number}: a word is repeated in {list(words)}")
        if len(listed) < 2 or size not in (None, len(listed)):
            expected = f"{size} words" if size else "two words or more"
            raise ValueError(f"{name}, entry {number}: expected {expected}, found {list(words)}")
        sets.append(listed)
    if len(sets) < least:
        raise ValueError(f"{name} must hold at least {least} list of words, found {len(sets)}")
    return tuple(sets)


def separate_groups(name: str, given: Any) -> tuple[tuple[str, ...], ...]:
    """Two or more lists of words without common words.

    A repeated word in a list counts once.

    Raises
    ------
    ValueError : it is something else; the message names the common words.
    """
    groups = tuple(
        word_list(f"{name}, list {number},", words, least=1)
        for number, words in enumerate(_lists(name, given), start=1)
    )
    if len(groups) < 2:
        raise ValueError(f"{name} must hold at least 2 lists of words, found {len(groups)}")
    seen: set[str] = set()
    for group in groups:
        if shared := sorted(seen & set(group)):
            raise ValueError(f"{name}: in two lists at once: {', '.join(shared)}")
        seen |= set(group)
    return groups


def every_word(lists: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """The words of lists, each once."""
    return tuple(dict.fromkeys(word for words in lists for word in words))


def whole_number(name: str, given: Any, least: int = 1) -> int:
    """An integer from `least`.

    Raises
    ------
    ValueError : it is something else.
    """
    if isinstance(given, bool) or not isinstance(given, int) or given < least:
        raise ValueError(f"{name} must be an integer from {least}, found {given!r}")
    return given


def number_above(name: str, given: Any, bound: float = 0) -> float:
    """A finite number above `bound`, which may be minus infinity.

    Raises
    ------
    ValueError : it is something else.
    """
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if not is_number or not bound < given < float("inf"):
        above = "" if bound == -float("inf") else f" above {bound}"
        raise ValueError(f"{name} must be a number{above}, found {given!r}")
    return float(given)


def one_of(name: str, given: Any, valid: Sequence[str]) -> str:
    """One of some names.

    Raises
    ------
    ValueError : it is another name; the message gives the nearest one.
    """
    if given not in valid:
        raise ValueError(f"unknown {name} {given!r}. {nearest(given, valid)}")
    return given


def _is_list(given: Any) -> bool:
    """Whether it is an ordered collection; a mapping is not."""
    return isinstance(given, Iterable) and not isinstance(given, str | Mapping)


def _lists(name: str, given: Any) -> Iterable[Any]:
    """What may be a list of lists of words."""
    if not _is_list(given):
        raise ValueError(f"{name} must be a list of lists of words, found {given!r}")
    return given


@dataclass(frozen=True)
class FoundSets:
    """Sets of words with their vectors.

    Attributes
    ----------
    words : for each set that counts, the words found. vectors : for each, (words, dims), float64.
    missing : words that are missing from the base, each once. dropped : sets that therefore do not
        count.
    """

    words: tuple[tuple[str, ...], ...]
    vectors: tuple[np.ndarray, ...]
    missing: tuple[str, ...]
    dropped: tuple[tuple[str, ...], ...]


def split(base: WordRows, words: Iterable[str]) -> tuple[list[str], list[str]]:
    """The words found in a base and the missing words, each once and in their order."""
    found: list[str] = []
    missing: list[str] = []
    for word in dict.fromkeys(words):
        (found if word in base else missing).append(word)
    return found, missing


def partition_known(base: WordRows, words: Iterable[str], name: str) -> tuple[list[str], list[str]]:
    """As `split`, where at least one word must be found; `name` is for the error.

    Raises
    ------
    FairflowError : all words are missing from the base.
    """
    found, missing = split(base, words)
    if not found:
        raise FairflowError(
            f"{name}: the model has no vectors of {some_words(missing)}. {_AS_WRITTEN}"
        )
    return found, missing


def found_sets(
    base: WordRows, sets: Sequence[Sequence[str]], name: str, unit: bool, complete: bool = False
) -> FoundSets:
    """Sets of words with their vectors in a base. A set with fewer than two known words is dropped.

    Parameters
    ----------
    name : of the list, for errors. unit : whether vectors are divided by their lengths.
    complete : whether a set counts only if all of its words are found.

    Raises
    ------
    FairflowError : no set counts; the vector of a word has no direction but needs one.
    """
    kept, vectors, dropped = [], [], []
    for words in sets:
        found, _ = split(base, words)
        if len(found) < (len(words) if complete else 2):
            dropped.append(tuple(words))
            continue
        kept.append(tuple(found))
        vectors.append(listed_vectors(base, found, name, unit))
    _, missing = split(base, (word for words in sets for word in words))
    if sets and not kept:
        raise FairflowError(
            f"{name}: no entry has {'all' if complete else 'two'} words in the model; missing: "
            f"{some_words(missing)}. {_AS_WRITTEN}"
        )
    return FoundSets(tuple(kept), tuple(vectors), tuple(missing), tuple(dropped))


def listed_vectors(base: WordRows, words: Sequence[str], name: str, unit: bool) -> np.ndarray:
    """The vectors of words in a base: (words, dims), float64.

    Raises
    ------
    FairflowError : a vector is not finite, or is zero and needs a direction; the message names it.
    """
    vectors = np.asarray(base.vectors(list(words)), dtype=np.float64)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    bad = ~np.isfinite(lengths) | (unit & (lengths == 0))
    if bad.any():
        named = some_words([word for word, flag in zip(words, bad[:, 0], strict=True) if flag])
        raise FairflowError(
            f"{name}: zero or non-finite vectors have no direction: {named}. Leave these words out"
        )
    return vectors / lengths if unit else vectors


def some_words(words: Sequence[str]) -> str:
    """Up to ten words, for an error."""
    return ", ".join(words[:10]) + (f" and {len(words) - 10} more" if len(words) > 10 else "")


SAME_MEANS = "groups: their means are equal, so that no direction separates them"


@dataclass(frozen=True)
class FoundGroups:
    """The words of groups that are in a base.

    Attributes
    ----------
    vectors : (words, dims), float64, group by group. labels : (words,), the group of each word.
    missing : words that are missing from the base.
    """

    vectors: np.ndarray
    labels: np.ndarray
    missing: tuple[str, ...]

    @property
    def sizes(self) -> np.ndarray:
        """The number of words in each group: (groups,)."""
        return np.bincount(self.labels)

    @property
    def means(self) -> np.ndarray:
        """The mean vector of each group: (groups, dims)."""
        groups = range(len(self.sizes))
        return np.stack([self.vectors[self.labels == group].mean(axis=0) for group in groups])

    @property
    def majority(self) -> float:
        """The share of words in the largest group: the accuracy of a constant prediction."""
        return float(self.sizes.max() / len(self.labels))


def account(
    base: WordRows,
    untouched: Collection[str] = (),
    rows: Collection[str] = (),
    only: Collection[str] | None = None,
    missing: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, Any]:
    """Facts of a derivation.

    Parameters
    ----------
    untouched : words of the base that keep their directions. rows : words with listed vectors,
        untouched or not. only : the other words that change; None for all except the untouched
        ones.
        missing : name of a list -> its words that are missing from the base.
    """
    kept = len(set(untouched) - set(rows))
    changed = len(base) - kept if only is None else len({*only, *rows})
    return {
        "words": len(base),
        "words_changed": changed,
        "words_listed": sorted(set(rows)),
        "words_missing": {name: list(words) for name, words in (missing or {}).items() if words},
    }


class GroupTransform(BaseTransform):
    """A transform that learns from groups of words.

    Parameters
    ----------
    groups : two or more lists of words. Words that are missing from the base are recorded.
    """

    word_sets = {"groups": "lists"}

    def __init__(self, groups: Sequence[Sequence[str]]) -> None:
        self.groups = separate_groups("groups", groups)

    def training_texts(self) -> tuple[str, ...]:
        """The words of all groups."""
        return every_word(self.groups)

    def fit(self, base: Any) -> Derivation:
        """Learn from the words of the groups that are in the base.

        Raises
        ------
        FairflowError : no word of a group is found, or as `learn` says.
        """
        base = word_rows(base)
        found = self._found(base)
        learnt = self.learn(found)
        sizes = {"group_sizes": found.sizes.tolist()}
        of_groups = sizes | account(base, missing={"groups": found.missing})
        return replace(learnt, facts={**learnt.facts, **of_groups})

    def _found(self, base: WordRows) -> FoundGroups:
        vectors, missing = [], []
        for number, group in enumerate(self.groups, start=1):
            name = f"groups, list {number}"
            found, lost = partition_known(base, group, name)
            missing += lost
            vectors.append(listed_vectors(base, found, name, unit=False))
        labels = np.repeat(np.arange(len(vectors)), [len(rows) for rows in vectors])
        return FoundGroups(np.concatenate(vectors), labels, tuple(missing))

    @abstractmethod
    def learn(self, found: FoundGroups) -> Derivation:
        """The change of vectors, learned from the words of the groups that are in a base."""
