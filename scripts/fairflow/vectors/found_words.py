"""Lists of words looked up in a base: what is found, as written, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from fairflow.errors import FairflowError


class Rows(Protocol):
    """Words with vectors, as a `VectorStore` has them."""

    def __contains__(self, word: str) -> bool: ...

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """(words, dims), float32."""


@dataclass(frozen=True)
class FoundSets:
    """Sets of words with their vectors.

    Attributes
    ----------
    words : of each set that counts, those found. vectors : of each, (words, dims), float64.
    missing : words that the base lacks, each once. dropped : sets that do not count therefore.
    """

    words: tuple[tuple[str, ...], ...]
    vectors: tuple[np.ndarray, ...]
    missing: tuple[str, ...]
    dropped: tuple[tuple[str, ...], ...]


def split(base: Rows, words: Iterable[str]) -> tuple[list[str], list[str]]:
    """The words that a base holds and those that it lacks, each once and in their order."""
    found: list[str] = []
    missing: list[str] = []
    for word in dict.fromkeys(words):
        (found if word in base else missing).append(word)
    return found, missing


def found_sets(
    base: Rows, sets: Sequence[Sequence[str]], name: str, unit: bool, complete: bool = False
) -> FoundSets:
    """Sets of words with what a base holds of them; one of which fewer than two are found is none.

    Parameters
    ----------
    name : of the list, for errors. unit : whether vectors are divided by their lengths.
    complete : whether a set counts only if all of its words are found.

    Raises
    ------
    FairflowError : no set counts; a vector of a word has no direction where one is needed.
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
            f"{name}: no entry of which the model holds {'all' if complete else 'two'} words; it "
            f"lacks {shown(missing)}. "
            "Words are looked up as they are written: give them as the model has them"
        )
    return FoundSets(tuple(kept), tuple(vectors), tuple(missing), tuple(dropped))


def listed_vectors(base: Rows, words: Sequence[str], name: str, unit: bool) -> np.ndarray:
    """The vectors of words that a base holds: (words, dims), float64.

    Raises
    ------
    FairflowError : one is not finite, or zero where directions are asked for; it is named.
    """
    vectors = np.asarray(base.vectors(list(words)), dtype=np.float64)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    bad = ~np.isfinite(lengths) | (unit & (lengths == 0))
    if bad.any():
        named = shown([word for word, flag in zip(words, bad[:, 0], strict=True) if flag])
        raise FairflowError(
            f"{name}: zero or non-finite vectors have no direction: {named}. Leave these words out"
        )
    return vectors / lengths if unit else vectors


def shown(words: Sequence[str]) -> str:
    """Up to ten words, for an error."""
    return ", ".join(words[:10]) + (f" and {len(words) - 10} more" if len(words) > 10 else "")
