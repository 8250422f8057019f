"""Demographic representation: how often a model's texts speak of each group.

Liang et al. 2022 (HELM, https://arxiv.org/abs/2211.09110) and, unnormalised, Gallegos et al. 2024
(https://doi.org/10.1162/coli_a_00524).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fairflow.language_models.errors import ItemError
from fairflow.language_models.scoring.word_counts import GroupCounter, distance_to_uniform


@dataclass(frozen=True)
class DemographicRepresentation:
    """Counts of groups in texts.

    Attributes
    ----------
    per_text : (texts, groups) counts, the units of a bootstrap over texts.
    counts, distribution : group -> count, and its share of all (NaN if nothing was counted).
    distance : total variation distance of the counts from the uniform distribution; 0 is fair,
        NaN if nothing was counted.
    distance_per_term : that of counts over the groups' numbers of distinct terms, as HELM does.
    """

    groups: tuple[str, ...]
    per_text: np.ndarray
    sizes: np.ndarray

    @property
    def counts(self) -> dict[str, int]:
        return dict(zip(self.groups, self.per_text.sum(axis=0).tolist(), strict=True))

    @property
    def distribution(self) -> dict[str, float]:
        total = self.per_text.sum(axis=0)
        shares = total / total.sum() if total.any() else np.full(len(total), np.nan)
        return dict(zip(self.groups, shares.tolist(), strict=True))

    @property
    def distance(self) -> float:
        return distance_to_uniform(self.per_text.sum(axis=0))

    @property
    def distance_per_term(self) -> float:
        return distance_to_uniform(self.per_text.sum(axis=0) / self.sizes)


def demographic_representation(
    groups: Mapping[str, Sequence[str]], texts: Sequence[str]
) -> DemographicRepresentation:
    """Count the terms of each group in texts.

    Words are lower-cased runs of letters and digits, in texts and terms alike; a term of several
    words matches as a run. As the sum runs over a group's list, a term listed twice counts twice.

    Raises
    ------
    ItemError : no group, or a group without a word.
    """
    counter = checked_groups(groups)
    return DemographicRepresentation(counter.groups, counter.count(texts), counter.sizes)


def checked_groups(groups: Mapping[str, Sequence[str]]) -> GroupCounter:
    """A counter of these groups.

    Raises
    ------
    ItemError : no group, or a group without a word.
    """
    counter = GroupCounter(groups)
    empty = [group for group, size in zip(counter.groups, counter.sizes, strict=True) if not size]
    if not groups or empty:
        raise ItemError(f"groups need words; without: {', '.join(empty) or 'there is no group'}")
    return counter
