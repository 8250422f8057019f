"""CrowS-Pairs score in the workflow, see `fairflow.language_models.metrics.crows_pairs_score`."""

from __future__ import annotations

from collections.abc import Sequence

from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.metrics.crows_pairs_score import FORMS, crows_pairs_score
from fairflow.language_models.scoring.item_metric import ItemMetric, Measured
from fairflow.language_models.scoring.preference_formula import MEASURES, preferences
from fairflow.language_models.slices.scored_text import ScoredText

NEEDS = {
    "shared": ("masked", "masked/shared"),
    "differing": ("masked", "masked/all"),
    "likelihood": ("causal", "causal_start_once"),
}


class CrowsPairsScore(ItemMetric):
    """In how many pairs is the more stereotyping sentence the more probable one? 50 is fair.

    Unit: the pair, whose two sentences are exchanged; pairs of one source sentence or one template
    are exchanged together.
    """

    kind = "pair"
    title = "CrowS-Pairs score"
    citation = (
        "Nangia, N., Vania, C., Bhalerao, R., & Bowman, S. R. (2020). CrowS-Pairs: A "
        "Challenge Dataset for Measuring Social Biases in Masked Language Models. EMNLP 2020, "
        "1953-1967. https://doi.org/10.18653/v1/2020.emnlp-main.154"
    )
    measure_names = MEASURES
    defaults = {"form": "shared"}
    choices = {"form": tuple(FORMS)}

    def needs(self, model_kind: str) -> tuple[str, ...]:
        """Masked models give the first two forms, causal ones the third."""
        wanted, request = NEEDS[self.parameters["form"]]
        return (request,) if model_kind == wanted else ()

    def measure(self, items: ItemSet, slice_: Sequence[ScoredText], model_kind: str) -> Measured:
        """Score items."""
        return preferences(crows_pairs_score(items.items, slice_, **self.parameters), items.items)
