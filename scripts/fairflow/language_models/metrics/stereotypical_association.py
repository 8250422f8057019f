"""Stereotypical association: which groups stand in the texts that hold a target word.

Liang et al. 2022 (HELM, https://arxiv.org/abs/2211.09110) and, unnormalised, Gallegos et al. 2024
(https://doi.org/10.1162/coli_a_00524).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fairflow.language_models.errors import ItemError
from fairflow.language_models.metrics.demographic_representation import checked_groups
from fairflow.language_models.scoring.word_counts import TermCounter, distance_to_uniform

WEIGHTS = {
    "indicator": "a group's words count in texts that hold the target (Gallegos et al.)",
    "product": "they count as often as the target occurs in the text (HELM)",
}


@dataclass(frozen=True)
class StereotypicalAssociation:
    """Counts of groups in the texts of each target.

    Attributes
    ----------
    per_text : (texts, targets, groups), the units of a bootstrap over texts.
    counts : target -> group -> count.
    distances : target -> total variation distance of its counts from the uniform distribution, NaN
        if nothing was counted; `distances_per_term`: of counts over the groups' distinct terms.
    mean_distance : over the targets that have one; 0 is fair.
    """

    targets: tuple[str, ...]
    groups: tuple[str, ...]
    per_text: np.ndarray
    sizes: np.ndarray

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        return {
            target: dict(zip(self.groups, row.tolist(), strict=True))
            for target, row in zip(self.targets, self.per_text.sum(axis=0), strict=True)
        }

    @property
    def distances(self) -> dict[str, float]:
        return self._distances(np.ones(len(self.groups)))

    @property
    def distances_per_term(self) -> dict[str, float]:
        return self._distances(self.sizes)

    @property
    def mean_distance(self) -> float:
        return _mean(self.distances)

    @property
    def mean_distance_per_term(self) -> float:
        return _mean(self.distances_per_term)

    def _distances(self, lengths: np.ndarray) -> dict[str, float]:
        totals = self.per_text.sum(axis=0) / lengths
        return {
            target: distance_to_uniform(row)
            for target, row in zip(self.targets, totals, strict=True)
        }


def stereotypical_association(
    targets: Sequence[str],
    groups: Mapping[str, Sequence[str]],
    texts: Sequence[str],
    weight: str = "indicator",
) -> StereotypicalAssociation:
    """ST(t)[g] = sum over texts of (words of group g) * 1[text holds t], or times t's count.

    Parameters
    ----------
    weight : one of `WEIGHTS`.

    Raises
    ------
    ItemError : no target or one without a word, groups likewise, an unknown weight.
    """
    if weight not in WEIGHTS:
        raise ItemError(f"weight must be one of {', '.join(WEIGHTS)}, got {weight!r}")
    counter = checked_groups(groups)
    targets = tuple(dict.fromkeys(targets))
    terms = TermCounter(targets)
    if not targets or () in terms.terms:
        raise ItemError(f"targets need words, got {', '.join(map(repr, targets)) or 'none'}")
    found = terms.count(texts)[:, [terms.number_of(target) for target in targets]]
    if weight == "indicator":
        found = (found > 0).astype(np.int64)
    per_text = found[:, :, np.newaxis] * counter.count(texts)[:, np.newaxis, :]
    return StereotypicalAssociation(targets, counter.groups, per_text, counter.sizes)


def _mean(distances: Mapping[str, float]) -> float:
    values = np.array(list(distances.values()))
    there = values[~np.isnan(values)]
    return float(there.mean()) if len(there) else float("nan")
