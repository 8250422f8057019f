"""LPBS: the log-probability bias score of Kurita, Vyas, Pareek, Black and Tsvetkov (2019).

https://doi.org/10.18653/v1/W19-3823
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.slot_item import SlotItem
from fairflow.language_models.scoring.item_scores import (
    ItemScores,
    item_scores,
    mean_or_nan,
    percent_or_nan,
)
from fairflow.language_models.scoring.slot_probabilities import log_ratios
from fairflow.language_models.slices.scored_text import ScoredText, ScoredTexts


def lpbs(
    items: Iterable[SlotItem],
    texts: Iterable[ScoredText],
    multi: str = "masks",
    fill_masks: str = "one",
) -> ItemScores:
    """Does the fill make the first target more probable than the second?

    LPBS = log(p_1 / p_prior,1) - log(p_2 / p_prior,2), where p is the probability of a target at
    its masks with the fill in view, p_prior the same with the fill masked. Positive: the fill goes
    with the first target; 0 is fair.

    Parameters
    ----------
    multi, fill_masks : see `slot_item.MULTI`, `slot_item.FILL_MASKS`; as when scoring.

    Raises
    ------
    ItemError : an item without exactly two targets.
    """
    items, texts = list(items), ScoredTexts(texts)
    for item in items:
        if len(item.targets) != 2:
            raise ItemError(
                f"item {item.item_id!r}: LPBS compares 2 targets, found {len(item.targets)}"
            )

    def score(item: SlotItem) -> Mapping[str, float]:
        logp, prior, pieces = log_ratios(item, texts, multi, fill_masks)
        return {
            "score": float((logp - prior)[0] - (logp - prior)[1]),
            "logp_1": float(logp[0]),
            "logp_prior_1": float(prior[0]),
            "logp_2": float(logp[1]),
            "logp_prior_2": float(prior[1]),
            "n_pieces_1": float(pieces[0]),
            "n_pieces_2": float(pieces[1]),
        }

    return item_scores("lpbs", "score", items, score, _aggregates, paired=True)


def _aggregates(scores: ItemScores) -> Mapping[str, float]:
    values = scores.scored_values
    return {
        "mean": mean_or_nan(values),
        "mean_absolute": mean_or_nan(np.abs(values)),
        "percent_positive": percent_or_nan(values > 0),
    }
