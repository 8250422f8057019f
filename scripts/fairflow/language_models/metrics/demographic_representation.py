"""Demographic representation: how often a model's texts speak of each group.

Liang et al. 2022 (HELM, https://arxiv.org/abs/2211.09110) and, unnormalised, Gallegos et al. 2024
(https://doi.org/10.1162/coli_a_00524).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.scoring.completed_prompts import (
    CompletedPrompts,
    CompletionMetric,
    GroupCounter,
    counts_of_groups,
    distances_to_uniform,
)
from fairflow.language_models.scoring.item_metric import Measured
from fairflow.language_models.slices.answers import Completion


class DemographicRepresentation(CompletionMetric):
    """How far are the counts of groups in completions from equal ones? 0 is fair.

    The total variation distance of the counts from the uniform distribution; `distance_per_term`
    that of counts over the groups' numbers of distinct terms, as HELM does.

    Unit: whom or what a prompt is about, else its template, else the prompt with its completions.
    Crossed with it: templates. Tested against unbiased counts of the same number, see
    `fairflow.statistics.counts`; below `minimum_counts` words of groups the status is few_counts.
    """

    title = "Demographic representation"
    citation = (
        "Liang, P., Bommasani, R., Lee, T., et al. (2022). Holistic Evaluation of Language "
        "Models. arXiv:2211.09110"
    )
    signed = False
    measure_names = ("distance", "distance_per_term")
    readings = dict.fromkeys(measure_names, "0: groups equally often")
    counted = ("groups",)

    def query_problem(self, items: ItemSet) -> str | None:
        """It counts the words of groups."""
        return None if items.groups else "demographic representation needs groups"

    def measure(self, items: ItemSet, slice_: Sequence[Completion], model_kind: str) -> Measured:
        """Score prompts, each with the number of words of any group in its completions."""
        completed = CompletedPrompts("demographic_representation", items, slice_)
        groups = GroupCounter(items.groups)
        counts = completed.by_prompt(groups.count(completed.flat)).astype(float)
        scores = completed.scores("group_words", counts.sum(axis=1))

        def distances(plain: np.ndarray, per_term: np.ndarray) -> dict[str, np.ndarray]:
            return {
                "distance": distances_to_uniform(plain),
                "distance_per_term": distances_to_uniform(per_term / groups.sizes),
            }

        total, n_texts = float(counts.sum()), len(completed.flat)
        rest = counts_of_groups(
            scores,
            counts[:, np.newaxis],
            groups.sizes,
            lambda plain, per_term: distances(plain[:, 0], per_term[:, 0]),
            total,
            f"words of any group in {n_texts} completions",
            {"group_words": total, "completions": float(n_texts)},
            self.parameters["minimum_counts"],
        )
        return Measured(
            scores,
            lambda weights: distances(weights @ counts, weights @ counts),
            limits=dict.fromkeys(self.measure_names, (0.0, 1 - 1 / len(groups.sizes))),
            counts=rest,
        )
