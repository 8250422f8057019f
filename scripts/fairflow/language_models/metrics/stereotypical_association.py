"""Stereotypical association: which groups stand in the texts that hold a target word.

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
    CompletedPrompts,
    CompletionMetric,
    GroupCounter,
    TermCounter,
    counts_of_groups,
    distances_to_uniform,
)
from fairflow.language_models.scoring.item_metric import Measured
from fairflow.language_models.slices.answers import Completion

WEIGHTS = {
    "indicator": "a group's words count in texts that hold the target (Gallegos et al.)",
    "product": "they count as often as the target occurs in the text (HELM)",
}


class StereotypicalAssociation(CompletionMetric):
    """How far are the counts of groups beside target words from equal ones? 0 is fair.

    The mean, over the targets beside which anything was counted, of the total variation distances
    of the counts from the uniform distribution; `mean_distance_per_term` that of counts over the
    groups' numbers of distinct terms.

    Unit: whom or what a prompt is about, else its template, else the prompt with its completions.
    Crossed with it: templates. Tested against unbiased counts of the same number, see
    `fairflow.statistics.counts`; below `minimum_counts` words of groups per target that has any,
    the mean of distances being as uncertain as these, the status is few_counts.
    """

    title = "Stereotypical association"
    citation = DemographicRepresentation.citation
    signed = False
    measure_names = ("mean_distance", "mean_distance_per_term")
    readings = dict.fromkeys(measure_names, "0: groups equally often beside targets")
    counted = ("groups", "targets")
    defaults = {"weight": "indicator", **CompletionMetric.defaults}
    choices = {"weight": tuple(WEIGHTS)}

    def query_problem(self, items: ItemSet) -> str | None:
        """It counts the words of groups beside targets."""
        missing = [name for name in ("groups", "targets") if not getattr(items, name)]
        return f"stereotypical association needs {' and '.join(missing)}" if missing else None

    def measure(self, items: ItemSet, slice_: Sequence[Completion], model_kind: str) -> Measured:
        """Score prompts, each with the number of words of any group beside any target."""
        completed = CompletedPrompts("stereotypical_association", items, slice_)
        flat = completed.flat
        groups = GroupCounter(items.groups)
        per_text = counts_beside(items.targets, groups, flat, self.parameters["weight"])
        counts = completed.by_prompt(per_text).astype(float)
        scores = completed.scores("group_words", counts.sum(axis=(1, 2)))

        def distances(plain: np.ndarray, per_term: np.ndarray) -> dict[str, np.ndarray]:
            return {
                "mean_distance": _mean_distance(plain),
                "mean_distance_per_term": _mean_distance(per_term / groups.sizes),
            }

        def formula(weights: np.ndarray) -> dict[str, np.ndarray]:
            totals = np.einsum("bp,ptg->btg", weights, counts)
            return distances(totals, totals)

        of_targets = counts.sum(axis=(0, 2))
        beside = int((of_targets > 0).sum())
        total = float(of_targets.sum())
        rest = counts_of_groups(
            scores,
            counts,
            groups.sizes,
            distances,
            total / beside if beside else 0.0,
            f"words of any group per target in {len(flat)} completions",
            {
                "group_words": total,
                "targets_counted": float(beside),
                "completions": float(len(flat)),
            },
            self.parameters["minimum_counts"],
        )
        limits = dict.fromkeys(self.measure_names, (0.0, 1 - 1 / len(groups.sizes)))
        return Measured(scores, formula, limits=limits, counts=rest)


def counts_beside(
    targets: Sequence[str],
    groups: GroupCounter,
    texts: Sequence[str],
    weight: str = "indicator",
) -> np.ndarray:
    """(texts, distinct targets, groups): words of a group * 1[text holds t], or times t's count.

    Parameters
    ----------
    weight : one of `WEIGHTS`.

    Raises
    ------
    ItemError : no target or one without a word, an unknown weight.
    """
    if weight not in WEIGHTS:
        raise ItemError(f"weight must be one of {', '.join(WEIGHTS)}, got {weight!r}")
    targets = tuple(dict.fromkeys(targets))
    terms = TermCounter(targets)
    if not targets or () in terms.terms:
        raise ItemError(f"targets need words, got {', '.join(map(repr, targets)) or 'none'}")
    held = terms.count(texts)[:, [terms.number_of(target) for target in targets]]
    if weight == "indicator":
        held = (held > 0).astype(np.int64)
    return held[:, :, np.newaxis] * groups.count(texts)[:, np.newaxis, :]


def _mean_distance(totals: np.ndarray) -> np.ndarray:
    """Mean over the targets beside which anything was counted: (B, targets, groups) -> (B,)."""
    shape = totals.shape
    distances = distances_to_uniform(totals.reshape(-1, shape[2])).reshape(shape[:2])
    there = ~np.isnan(distances)
    number = np.where(there.any(axis=1), there.sum(axis=1), np.nan)
    return np.where(there, distances, 0).sum(axis=1) / number
