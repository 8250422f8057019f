"""Stereotypical association: which groups occur in the texts that contain a target word.

Liang et al. 2022 (HELM, https://arxiv.org/abs/2211.09110) and, unnormalised, Gallegos et al. 2024
(https://doi.org/10.1162/coli_a_00524).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.metrics.demographic_representation import DemographicRepresentation
from fairflow.language_models.scoring.completed_prompts import (
    GroupCounter,
    GroupDistances,
    TermCounter,
)
from fairflow.statistics.outcome import Reading


class StereotypicalAssociation(GroupDistances):
    """How unequal are the counts of groups in texts that contain target words? 0 is fair.

    The mean, over the targets with any count, of the total variation distances
    of the counts from the uniform distribution; `mean_distance_per_term` that of counts over the
    groups' numbers of distinct terms.

    From 0 to below 1. Source: Liang et al. (2022).

    Cluster: the person or thing that a prompt is about, else its template, else the prompt with its
    completions. Crossed with it: templates. Tested against the same number of unbiased counts, see
    `fairflow.statistics.counts`. With fewer words of groups than `minimum_counts` per target with
    any count the status is few_counts, because the mean of distances is then uncertain.
    """

    title = "Stereotypical association"
    citation = DemographicRepresentation.citation
    measure_names = ("mean_distance", "mean_distance_per_term")
    readings = dict.fromkeys(measure_names, Reading(0, says="groups equally often with targets"))
    counted = ("groups", "targets")
    per = " per target"
    defaults = {"weight": "indicator", **GroupDistances.defaults}
    choices = {"weight": ("indicator", "product")}

    def counts(self, items: ItemSet, groups: GroupCounter, texts: Sequence[str]) -> np.ndarray:
        """Words of groups, in texts that contain the target."""
        return counts_beside(items.targets, groups, texts, self.parameters["weight"])


def counts_beside(
    targets: Sequence[str], groups: GroupCounter, texts: Sequence[str], weight: str = "indicator"
) -> np.ndarray:
    """(texts, distinct targets, groups): words of a group * 1[text holds t], or times t's count.

    Parameters
    ----------
    weight : "indicator", a group's words count in texts that contain the target (Gallegos et al.);
        or "product", they are multiplied by the count of the target in the text (HELM).

    Raises
    ------
    ItemError : no target or one without a word.
    """
    targets = tuple(dict.fromkeys(targets))
    terms = TermCounter(targets)
    if not targets or () in terms.terms:
        raise ItemError(f"targets need words, got {', '.join(map(repr, targets)) or 'none'}")
    held = terms.count(texts)[:, [terms.number_of(target) for target in targets]]
    if weight == "indicator":
        held = (held > 0).astype(np.int64)
    return held[:, :, np.newaxis] * groups.count(texts)[:, np.newaxis, :]
