"""AUL and AULA of pairs in the workflow, see `fairflow.language_models.metrics.aul`."""

from __future__ import annotations

from collections.abc import Sequence

from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.metrics.aul import aul_preference
from fairflow.language_models.scoring.item_metric import ItemMetric, Measured
from fairflow.language_models.scoring.preference_formula import MEASURES, preferences
from fairflow.language_models.slices.scored_text import ScoredText


class AULPreference(ItemMetric):
    """In how many pairs is the more stereotyping sentence the more probable, nothing masked?

    Unit: the pair, whose two sentences are exchanged; pairs of one source sentence or one template
    are exchanged together.
    """

    kind = "pair"
    title = "AUL of pairs"
    citation = (
        "Kaneko, M., & Bollegala, D. (2022). Unmasking the Mask: Evaluating Social Biases in "
        "Masked Language Models. AAAI 2022, 36(11), 11954-11962. "
        "https://doi.org/10.1609/aaai.v36i11.21453"
    )
    measure_names = MEASURES
    defaults = {"weighted": False}
    choices = {"weighted": (False, True)}

    def needs(self, model_kind: str) -> tuple[str, ...]:
        """Whole sentences, with attention where it is a weight."""
        request = "unmasked+attention" if self.parameters["weighted"] else "unmasked"
        return (request,) if model_kind == "masked" else ()

    def measure(self, items: ItemSet, slice_: Sequence[ScoredText], model_kind: str) -> Measured:
        """Score items."""
        return preferences(aul_preference(items.items, slice_, **self.parameters), items.items)
