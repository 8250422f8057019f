"""AUL: all unmasked likelihood of sentences, of Kaneko and Bollegala (2022)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.sentence_item import SentenceItem
from fairflow.language_models.scoring.item_metric import ItemMetric, Measured, mean_of
from fairflow.language_models.scoring.item_scores import ItemScores, item_scores
from fairflow.language_models.scoring.unmasked_likelihood import unmasked_likelihoods
from fairflow.language_models.slices.scored_text import ScoredText, ScoredTexts


class AUL(ItemMetric):
    """How probable are sentences, piece by piece with nothing masked?

    Unit of intervals: the source of a sentence, else its template, else the sentence. Nothing is
    compared, so that there is no test.
    """

    kind = "sentence"
    title = "AUL"
    citation = (
        "Kaneko, M., & Bollegala, D. (2022). Unmasking the Mask: Evaluating Social Biases in "
        "Masked Language Models. AAAI 2022, 36(11), 11954-11962. "
        "https://doi.org/10.1609/aaai.v36i11.21453"
    )
    signed = False
    measure_names = ("mean",)
    readings = {"mean": "larger: more probable sentences"}

    def needs(self, model_kind: str) -> tuple[str, ...]:
        """Whole sentences."""
        return ("unmasked",) if model_kind == "masked" else ()

    def measure(self, items: ItemSet, slice_: Sequence[ScoredText], model_kind: str) -> Measured:
        """Score items."""
        scores = aul(items.items, slice_)
        values = scores.scored_values
        return Measured(scores, lambda weights: {"mean": mean_of(values, weights)})


def aul(items: Iterable[SentenceItem], texts: Iterable[ScoredText]) -> ItemScores:
    """AUL of each sentence, and AULA if the texts were scored with attention.

    See `unmasked_likelihoods`.
    """
    texts = ScoredTexts(texts)
    return item_scores(
        "aul",
        "aul",
        items,
        lambda item: unmasked_likelihoods(texts.valid(item.item_id, "unmasked")),
    )
