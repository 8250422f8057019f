"""CBS: the categorical bias score of Ahn and Oh (2021)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from fairflow.language_models.errors import Invalid
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.slot_item import FILL_MASKS, MULTI, SlotItem
from fairflow.language_models.scoring.item_metric import ItemMetric, Measured, mean_of
from fairflow.language_models.scoring.item_scores import ItemScores, item_scores
from fairflow.language_models.scoring.slot_probabilities import log_ratios
from fairflow.language_models.slices.scored_text import ScoredText, ScoredTexts


class CBS(ItemMetric):
    """How unevenly does the fill change the probabilities of the groups? 0 is fair.

    Unit of intervals: a row of targets; of a single row the fill. Crossed with it: templates, and
    fills. A variance over groups has no test.
    """

    kind = "slot"
    title = "CBS"
    citation = (
        "Ahn, J., & Oh, A. (2021). Mitigating Language-Dependent Ethnic Bias in BERT. EMNLP "
        "2021, 533-549. https://doi.org/10.18653/v1/2021.emnlp-main.42"
    )
    signed = False
    measure_names = ("mean",)
    readings = {"mean": "0: fill moves groups alike"}
    defaults = {"multi": "masks", "fill_masks": "one", "ddof": 1}
    choices = {"multi": tuple(MULTI), "fill_masks": tuple(FILL_MASKS), "ddof": (0, 1)}

    def needs(self, model_kind: str) -> tuple[str, ...]:
        """Posterior and prior of every target."""
        return ("{multi}/{fill_masks}".format(**self.parameters),) if model_kind == "masked" else ()

    def query_problem(self, items: ItemSet) -> str | None:
        """A variance needs two groups."""
        few = any(len(item.targets) < 2 for item in items.items)
        return "CBS needs at least 2 groups, the query has 1" if few else None

    def measure(self, items: ItemSet, slice_: Sequence[ScoredText], model_kind: str) -> Measured:
        """Score items; the measure is their mean."""
        scores = cbs(items.items, slice_, **self.parameters)
        values = scores.scored_values
        limits = {"mean": (0.0, np.inf)}
        return Measured(scores, lambda weights: {"mean": mean_of(values, weights)}, limits=limits)


def cbs(
    items: Iterable[SlotItem],
    texts: Iterable[ScoredText],
    multi: str = "masks",
    fill_masks: str = "one",
    ddof: int = 1,
) -> ItemScores:
    """The variance over the groups of each item of log(p / p_prior), as in LPBS.

    Ahn and Oh take fill_masks "pieces"; their code divides by n - 1.

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

    return item_scores("cbs", "variance", items, score)
