"""CBS: the categorical bias score of Ahn and Oh (2021)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from fairflow.language_models.errors import Invalid
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.slot_item import SlotItem
from fairflow.language_models.scoring.item_metric import ItemScores, Measured, Reading
from fairflow.language_models.scoring.likelihoods import SlotMetric
from fairflow.language_models.slices.answers import ScoredTexts


class CBS(SlotMetric):
    """How unevenly does the fill change the probabilities of the groups? 0 is fair.

    Score of an item = variance over the groups of log(p / p_prior), as in LPBS; `mean` is the mean
    over items. At least 0, without an upper limit. Source: Ahn and Oh (2021).

    Cluster of intervals: a row of targets; with a single row the fill. Crossed with it: templates,
    and fills. A variance over groups has no test.
    """

    title = "CBS"
    citation = "ahn2021mitigating"
    signed = False
    measure_names = ("mean",)
    readings = {"mean": Reading(0, says="fill moves groups alike")}
    defaults = {**SlotMetric.defaults, "ddof": 1}
    choices = {**SlotMetric.choices, "ddof": (0, 1)}
    item_value = "variance"

    def query_problem(self, items: ItemSet) -> str | None:
        """A variance needs two groups."""
        few = any(len(item.targets) < 2 for item in items.items)
        return "CBS needs at least 2 groups, the query has 1" if few else None

    def score(self, item: SlotItem, texts: ScoredTexts, model_kind: str) -> Mapping[str, float]:
        """The variance over the groups of log(p / p_prior), as in LPBS.

        Ahn and Oh use fill_masks "pieces"; their code divides by n - 1. `ddof` is 1 for the sample
        variance and 0 for the population variance.
        """
        if len(item.targets) < 2:
            raise Invalid("degenerate", "a variance needs two groups, the item has one")
        logp, prior, tokens = self.log_ratios(item, texts)
        ratios = logp - prior
        return {
            "variance": float(ratios.var(ddof=self.parameters["ddof"])),
            "largest": float(ratios.max()),
            "smallest": float(ratios.min()),
            "n_groups": float(len(ratios)),
            "n_tokens": float(tokens.max()),
        }

    def summary(self, scores: ItemScores, items: Sequence[SlotItem]) -> Measured:
        """The mean of the variances."""
        return replace(super().summary(scores, items), limits={"mean": (0.0, np.inf)})
