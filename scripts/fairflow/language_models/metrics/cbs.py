"""CBS: the categorical bias score of Ahn and Oh (2021).

https://doi.org/10.18653/v1/2021.emnlp-main.42
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fairflow.language_models.errors import Invalid
from fairflow.language_models.items.slot_item import SlotItem
from fairflow.language_models.scoring.item_scores import ItemScores, item_scores, mean_or_nan
from fairflow.language_models.scoring.slot_probabilities import log_ratios
from fairflow.language_models.slices.scored_text import ScoredText, ScoredTexts


def cbs(
    items: Iterable[SlotItem],
    texts: Iterable[ScoredText],
    multi: str = "masks",
    fill_masks: str = "one",
    ddof: int = 1,
) -> ItemScores:
    """How unevenly does the fill change the probabilities of the groups?

    An item's value is the variance over its groups of log(p / p_prior), as in LPBS; CBS is the mean
    over the items. 0 is fair. Ahn and Oh take fill_masks "pieces"; their code divides by n - 1.

    Parameters
    ----------
    ddof : 1 for the sample's variance, 0 for the population's.

    Raises
    ------
    ValueError : another ddof.
    """
    if ddof not in (0, 1):
        raise ValueError(f"ddof must be 0 or 1, got {ddof!r}")
    texts = ScoredTexts(texts)

    def score(item: SlotItem) -> Mapping[str, float]:
        if len(item.targets) < 2:
            raise Invalid("degenerate", "a variance needs two groups, the item has one")
        logp, prior, pieces = log_ratios(item, texts, multi, fill_masks)
        ratios = logp - prior
        return {
            "variance": float(ratios.var(ddof=ddof)),
            "largest": float(ratios.max()),
            "smallest": float(ratios.min()),
            "n_groups": float(len(ratios)),
            "n_pieces": float(pieces.max()),
        }

    return item_scores(
        "cbs", "variance", items, score, lambda found: {"mean": mean_or_nan(found.scored_values)}
    )
