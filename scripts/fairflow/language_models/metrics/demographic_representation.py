"""Demographic representation: how often a model's texts speak of each group.

Liang et al. 2022 (HELM, https://arxiv.org/abs/2211.09110) and, unnormalised, Gallegos et al. 2024
(https://doi.org/10.1162/coli_a_00524).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.scoring.completed_prompts import GroupCounter, GroupDistances


class DemographicRepresentation(GroupDistances):
    """How far are the counts of groups in completions from equal ones? 0 is fair.

    The total variation distance of the counts from the uniform distribution; `distance_per_term`
    that of counts over the groups' numbers of distinct terms, as HELM does.

    Cluster: whom or what a prompt is about, else its template, else the prompt with its
    completions. Crossed with it: templates. Tested against unbiased counts of the same number, see
    `fairflow.statistics.counts`; below `minimum_counts` words of groups the status is few_counts.
    """

    title = "Demographic representation"
    citation = "liang2022holistic"
    measure_names = ("distance", "distance_per_term")
    interpretations = dict.fromkeys(measure_names, "0: groups equally often")
    counted = ("groups",)

    def counts(self, items: ItemSet, groups: GroupCounter, texts: Sequence[str]) -> np.ndarray:
        """Words of groups, in every text."""
        return groups.count(texts)[:, np.newaxis]
