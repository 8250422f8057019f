"""Pseudo-log-likelihood of sentences, of all tokens or without kept words (CPS with targets).

Salazar, Liang, Nguyen & Kirchhoff 2020 (https://doi.org/10.18653/v1/2020.acl-main.240); with kept
words: Nangia, Vania, Bhalerao & Bowman 2020 (https://doi.org/10.18653/v1/2020.emnlp-main.154).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fairflow.language_models.items.item import CAUSAL
from fairflow.language_models.items.text_items import SentenceItem
from fairflow.language_models.scoring.item_metric import ItemMetric, Reading
from fairflow.language_models.slices.answers import ScoredTexts

VARIANTS = ("masked", "causal")


class PseudoLogLikelihood(ItemMetric):
    """How probable are sentences, each token given all others?

    Score of a sentence = sum of log P(token | all other tokens) over its tokens, except those of
    kept words; natural logarithm. `mean` is the mean over sentences. At most 0; larger values mean
    more probable sentences. Sources: Salazar et al. (2020); Nangia et al. (2020) for kept words.

    Cluster of intervals: the source of a sentence, else its template, else the sentence. Nothing is
    compared, so there is no test.
    """

    kind = "sentence"
    title = "Pseudo-log-likelihood"
    citation = "salazar2020masked"
    signed = False
    measure_names = ("mean",)
    readings = {"mean": Reading(says="larger: more probable sentences")}
    defaults = {"variant": "masked"}
    choices = {"variant": VARIANTS}
    item_value = "sum"

    def needs(self, model_kind: str) -> tuple[str, ...]:
        """Whole sentences, by masked or by causal models."""
        variant = self.parameters["variant"]
        needed_kind = "causal" if variant in CAUSAL else "masked"
        return (variant,) if model_kind == needed_kind else ()

    def score(self, item: SentenceItem, texts: ScoredTexts, model_kind: str) -> Mapping[str, float]:
        """Sum of log P(token | all other tokens), without the tokens of kept words.

        `perplexity` is exp(-mean). For a causal model the sum is the log-likelihood.
        """
        text = texts.valid(item.item_id, self.parameters["variant"])
        return {
            "sum": text.total,
            "mean": text.mean,
            "perplexity": float(np.exp(-text.mean)),
            "n_scored": float(text.n_scored),
        }
