"""Groups of words looked up in a base: their vectors, and to which group each belongs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairflow.errors import FairflowError
from fairflow.vectors.found_words import Rows, listed_vectors, shown, split

SAME_MEANS = "groups: their means are the same, so that nothing tells them apart"


@dataclass(frozen=True)
class FoundGroups:
    """The words of groups that a base holds.

    Attributes
    ----------
    vectors : (words, dims), float64, group after group. labels : (words,), the group of each.
    words : of all groups. missing : words that the base lacks.
    """

    vectors: np.ndarray
    labels: np.ndarray
    words: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def sizes(self) -> np.ndarray:
        """How many words each group has: (groups,)."""
        return np.bincount(self.labels)

    @property
    def means(self) -> np.ndarray:
        """The mean vector of each group: (groups, dims)."""
        return np.stack([self.vectors[self.labels == group].mean(axis=0) for group in self._groups])

    @property
    def majority(self) -> float:
        """The share of words that belong to the largest group: what knowing nothing gets right."""
        return float(self.sizes.max() / len(self.labels))

    @property
    def _groups(self) -> range:
        return range(len(self.sizes))


def found_groups(
    base: Rows, groups: Sequence[Sequence[str]], unit: bool = False, least: int = 1
) -> FoundGroups:
    """The words of groups with their vectors.

    Parameters
    ----------
    unit : whether vectors are divided by their lengths. least : words that a group needs.

    Raises
    ------
    FairflowError : of a group fewer words are found; a vector is not finite.
    """
    vectors, words, missing = [], [], []
    for number, group in enumerate(groups, start=1):
        found, lost = split(base, group)
        missing += lost
        if len(found) < least:
            raise FairflowError(
                f"groups, list {number}: the model holds {len(found)} of its words, and {least} "
                f"are needed; it lacks {shown(lost)}. Words are looked up as they are written"
            )
        words.append(found)
        vectors.append(listed_vectors(base, found, f"groups, list {number}", unit))
    return FoundGroups(
        vectors=np.concatenate(vectors),
        labels=np.repeat(np.arange(len(words)), [len(found) for found in words]),
        words=tuple(word for found in words for word in found),
        missing=tuple(missing),
    )
