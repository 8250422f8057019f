"""LPBS: the log-probability bias score of Kurita, Vyas, Pareek, Black and Tsvetkov (2019)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.slot_item import SlotItem
from fairflow.language_models.scoring.item_metric import ItemScores, Measured, Reading, mean_of
from fairflow.language_models.scoring.likelihoods import SlotMetric
from fairflow.language_models.slices.answers import ScoredTexts

ENDS = {"percent_positive": (0.0, 100.0)}


class LPBS(SlotMetric):
    """Does the fill raise the probability of the first target more than of the second?

    Score of an item = log(p_1 / p_prior,1) - log(p_2 / p_prior,2). p is the probability of a target
    at its masks with the fill, p_prior the same with the fill masked. `mean` is the mean over
    items. Natural logarithms without limits; above 0, the fill is associated with the first target;
    0 is fair. Source: Kurita, Vyas, Pareek, Black and Tsvetkov (2019).

    Cluster: a row of targets (he/she), whose two words are exchanged in all its templates and fills
    at once; with a single row the fill. Crossed with it: templates, and fills.
    """

    title = "LPBS"
    citation = "kurita2019measuring"
    measure_names = ("mean", "mean_absolute", "percent_positive")
    readings = {"mean": Reading(0, "fill goes with first target")}
    item_value = "score"

    def query_problem(self, items: ItemSet) -> str | None:
        """LPBS compares two targets."""
        sizes = {len(item.targets) for item in items.items} - {2}
        return f"LPBS compares 2 groups, the query has {max(sizes)}" if sizes else None

    def score(self, item: SlotItem, texts: ScoredTexts, model_kind: str) -> Mapping[str, float]:
        """log(p_1 / p_prior,1) - log(p_2 / p_prior,2).

        p is the probability of a target at its masks with the fill, p_prior the same with the fill
        masked.

        Raises
        ------
        ItemError : an item without exactly two targets.
        """
        if len(item.targets) != 2:
            raise ItemError(f"{item.item_id!r}: LPBS compares 2 targets, found {len(item.targets)}")
        logp, prior, tokens = self.log_ratios(item, texts)
        first, second = (logp - prior).tolist()
        found = {"score": first - second}
        for number, (given, before) in enumerate(zip(logp, prior, strict=True), start=1):
            found |= {f"logp_{number}": float(given), f"logp_prior_{number}": float(before)}
        return found | {f"n_tokens_{n}": float(k) for n, k in enumerate(tokens, start=1)}

    def summary(self, scores: ItemScores, items: Sequence[SlotItem]) -> Measured:
        """Means of the scores, and how many are above 0."""
        values = scores.scored_values

        def formula(weights: np.ndarray) -> dict[str, np.ndarray]:
            return {
                "mean": mean_of(values, weights),
                "mean_absolute": mean_of(np.abs(values), weights),
                "percent_positive": 100 * mean_of(values > 0, weights),
            }

        tested, limits = "mean log-probability bias score", {"mean_absolute": (0.0, np.inf)}
        return Measured(scores, formula, values, tested, ("mean",), ENDS, limits)
