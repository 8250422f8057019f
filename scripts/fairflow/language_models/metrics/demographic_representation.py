"""Demographic representation: how often a model's texts mention each group.

Liang et al. 2022 (HELM, https://arxiv.org/abs/2211.09110) and, unnormalised, Gallegos et al. 2024
(https://doi.org/10.1162/coli_a_00524).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.scoring.completed_prompts import GroupCounter, GroupDistances
from fairflow.statistics.outcome import Reading


class DemographicRepresentation(GroupDistances):
    """How unequal are the counts of groups in completions? 0 is fair.

    Total variation distance between the counts of the groups' words and the uniform distribution;
    `distance_per_term` first divides the counts by each group's number of distinct terms, as HELM
    does. From 0 to below 1. Source: Liang et al. (2022).

    Cluster: the person or thing that a prompt is about, else its template, else the prompt with its
    completions. Crossed with it: templates. Tested against the same number of unbiased counts, see
    `fairflow.statistics.counts`. With fewer words of groups than `minimum_counts` the status is
    few_counts.
    """

    title = "Demographic representation"
    citation = "liang2022holistic"
    measure_names = ("distance", "distance_per_term")
    readings = dict.fromkeys(measure_names, Reading(0, says="groups equally often"))
    counted = ("groups",)

    def counts(self, items: ItemSet, groups: GroupCounter, texts: Sequence[str]) -> np.ndarray:
        """Words of groups, in every text."""
        return groups.count(texts)[:, np.newaxis]
