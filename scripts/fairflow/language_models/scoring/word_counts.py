"""Counting terms in texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from fairflow.language_models.errors import ItemError

WORD = re.compile(r"[^\W_]+")


def words_of(text: str) -> list[str]:
    """Lower-cased maximal runs of letters and digits; everything else separates."""
    return WORD.findall(text.lower())


class TermCounter:
    """Counts terms of one or more words; in every text all of them in one pass.

    Parameters
    ----------
    terms : split as texts are; terms without a word never occur.
    """

    def __init__(self, terms: Iterable[str]) -> None:
        self.terms = tuple(dict.fromkeys(tuple(words_of(term)) for term in terms))
        self._number = {term: number for number, term in enumerate(self.terms)}
        self._rest: dict[str, list[tuple[str, ...]]] = {}
        for term in self._number:
            if len(term) > 1:
                self._rest.setdefault(term[0], []).append(term)

    def __len__(self) -> int:
        return len(self.terms)

    def number_of(self, term: str) -> int:
        """The column of a term."""
        return self._number[tuple(words_of(term))]

    def count(self, texts: Sequence[str]) -> np.ndarray:
        """How often each term occurs in each text: (texts, terms)."""
        counts = np.zeros((len(texts), len(self.terms)), dtype=np.int64)
        for line, text in zip(counts, texts, strict=True):
            words = words_of(text)
            for start, word in enumerate(words):
                single = self._number.get((word,))
                if single is not None:
                    line[single] += 1
                for term in self._rest.get(word, ()):
                    if tuple(words[start : start + len(term)]) == term:
                        line[self._number[term]] += 1
        return counts


class GroupCounter:
    """Counts the terms of groups; a term listed twice in a group counts twice.

    Parameters
    ----------
    groups : name -> terms.

    Attributes
    ----------
    sizes : (groups,) distinct terms of each.

    Raises
    ------
    ItemError : no group, or a group without a word.
    """

    def __init__(self, groups: Mapping[str, Sequence[str]]) -> None:
        self.groups = tuple(groups)
        self._counter = TermCounter(term for terms in groups.values() for term in terms)
        # (terms, groups) how often a group lists a term
        self._listed = np.zeros((len(self._counter), len(self.groups)), dtype=np.int64)
        for column, group in enumerate(self.groups):
            for term in groups[group]:
                self._listed[self._counter.number_of(term), column] += 1
        wordless = [number for number, term in enumerate(self._counter.terms) if not term]
        self._listed[wordless] = 0
        self.sizes = (self._listed > 0).sum(axis=0)
        empty = [group for group, size in zip(self.groups, self.sizes, strict=True) if not size]
        if not groups or empty:
            raise ItemError(
                f"groups need words; without: {', '.join(empty) or 'there is no group'}"
            )

    def count(self, texts: Sequence[str]) -> np.ndarray:
        """Occurrences of each group in each text: (texts, groups)."""
        return self._counter.count(texts) @ self._listed
