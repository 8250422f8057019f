"""AUL: all unmasked likelihood of sentences, of Kaneko and Bollegala (2022)."""

from __future__ import annotations

from collections.abc import Mapping

from fairflow.language_models.items.text_items import SentenceItem
from fairflow.language_models.scoring.item_metric import ItemMetric, Reading
from fairflow.language_models.scoring.likelihoods import unmasked_likelihoods
from fairflow.language_models.slices.answers import ScoredTexts


class AUL(ItemMetric):
    """How probable are sentences, token by token with nothing masked?

    AUL of a sentence = mean over its tokens of log P(token | the whole sentence), natural
    logarithm; `mean` is the mean over sentences. At most 0; larger values mean more probable
    sentences. Source: Kaneko and Bollegala (2022).

    Cluster of intervals: the source of a sentence, else its template, else the sentence. Nothing is
    compared, so there is no test.
    """

    kind = "sentence"
    title = "AUL"
    citation = "kaneko2022unmasking"
    signed = False
    measure_names = ("mean",)
    readings = {"mean": Reading(says="larger: more probable sentences")}

    asks = {"masked": "unmasked"}
    item_value = "aul"

    def score(self, item: SentenceItem, texts: ScoredTexts, model_kind: str) -> Mapping[str, float]:
        """AUL of a sentence, and AULA if it was scored with attention."""
        return unmasked_likelihoods(texts.valid(item.item_id, "unmasked"))
