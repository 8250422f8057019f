"""What the tests of one model beside another are about, and how large they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Settings:
    """Words and sizes; the sizes are Gonen & Goldberg's.

    Attributes
    ----------
    pairs : of words that differ in the bias alone, for its direction.
    ends : two words between which words lean, the first one's side first.
    professions : words that should be neutral; those that are also among `specific` count as none.
    specific : words that may show the bias, left out of the limited vocabulary.
    seed : of clusters, classifier and intervals.
    vocabulary : so many of the first words of a model are looked at.
    clustered, classified : words of both sides together that are put into clusters, or classified.
    trained : of the classified ones, those that the classifier learns from.
    neighbours : of each word that are counted. near : for the indirect bias.
    runs : of k-means and of the classifier. starts : of each k-means.
    """

    pairs: Sequence[Sequence[str]]
    ends: Sequence[str]
    professions: Sequence[str]
    specific: Sequence[str] = ()
    seed: int = 0
    vocabulary: int = 50_000
    clustered: int = 1_000
    classified: int = 5_000
    trained: int = 1_000
    neighbours: int = 100
    near: int = 10
    runs: int = 5
    starts: int = 10

    @property
    def neutral(self) -> list[str]:
        """The professions that should be neutral."""
        own = {*self.specific, *self.ends, *(word for pair in self.pairs for word in pair)}
        return [word for word in dict.fromkeys(self.professions) if word not in own]


def settings_of(values: Mapping[str, Any], seed: int) -> Settings:
    """Settings of plain values, as a plan holds them."""
    return Settings(**values, seed=seed)
