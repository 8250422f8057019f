"""CBS in the workflow, see `fairflow.language_models.metrics.cbs`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.slot_item import FILL_MASKS, MULTI
from fairflow.language_models.metrics.cbs import cbs
from fairflow.language_models.scoring.item_metric import ItemMetric, Measured, mean_of
from fairflow.language_models.slices.scored_text import ScoredText


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
        """Score items."""
        scores = cbs(items.items, slice_, **self.parameters)
        values = scores.scored_values
        limits = {"mean": (0.0, np.inf)}
        return Measured(scores, lambda weights: {"mean": mean_of(values, weights)}, limits=limits)
