"""AUL and AULA of pairs, of Kaneko and Bollegala (2022)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.pair_item import PairItem
from fairflow.language_models.scoring.item_metric import ItemMetric, Measured
from fairflow.language_models.scoring.item_scores import ItemScores
from fairflow.language_models.scoring.pair_preferences import MEASURES, pair_scores, preferences
from fairflow.language_models.scoring.unmasked_likelihood import unmasked_likelihoods
from fairflow.language_models.slices.scored_text import ScoredText, ScoredTexts


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
    readings = {"preference": "above 0: stereotypes are more probable"}
    defaults = {"weighted": False}
    choices = {"weighted": (False, True)}

    def needs(self, model_kind: str) -> tuple[str, ...]:
        """Whole sentences, with attention where it is a weight."""
        request = "unmasked+attention" if self.parameters["weighted"] else "unmasked"
        return (request,) if model_kind == "masked" else ()

    def measure(self, items: ItemSet, slice_: Sequence[ScoredText], model_kind: str) -> Measured:
        """Score items."""
        return preferences(aul_preference(items.items, slice_, **self.parameters), items.items)


def aul_preference(
    items: Iterable[PairItem], texts: Iterable[ScoredText], weighted: bool = False
) -> ItemScores:
    """AUL, or AULA if `weighted`, of both sentences of each pair, and their difference.

    Scores are not rounded, and a tie is no preference.

    Raises
    ------
    ItemError : AULA of texts that were scored without attention.
    """
    texts = ScoredTexts(texts)
    name = "aula" if weighted else "aul"

    def score(item: PairItem, side: str) -> Mapping[str, float]:
        text = texts.valid(item.text_id(side), "unmasked")
        if weighted and text.attention is None:
            raise ItemError("AULA needs texts scored with attention; make the token slice again")
        return {"score": unmasked_likelihoods(text)[name], "n_scored": float(text.n_scored)}

    return pair_scores(f"{name}_preference", items, score)
