"""Pseudo-log-likelihood of sentences, whole or around words that stay: CPS in its target form.

Salazar, Liang, Nguyen & Kirchhoff 2020 (https://doi.org/10.18653/v1/2020.acl-main.240); left to
right within words: Kauf & Ivanova 2023 (https://doi.org/10.18653/v1/2023.acl-short.80); with words
that stay: Nangia, Vania, Bhalerao & Bowman 2020 (https://doi.org/10.18653/v1/2020.emnlp-main.154).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fairflow.language_models.items.item import CAUSAL
from fairflow.language_models.items.text_items import SentenceItem
from fairflow.language_models.scoring.item_metric import ItemMetric
from fairflow.language_models.slices.answers import ScoredTexts

VARIANTS = ("masked", "masked_l2r", "causal")


class PseudoLogLikelihood(ItemMetric):
    """How probable are sentences, each token given all the others but for words that stay?

    Cluster of intervals: the source of a sentence, else its template, else the sentence. Nothing is
    compared, so that there is no test.
    """

    kind = "sentence"
    title = "Pseudo-log-likelihood"
    citation = "salazar2020masked"
    signed = False
    measure_names = ("mean",)
    interpretations = {"mean": "larger: more probable sentences"}
    defaults = {"variant": "masked"}
    choices = {"variant": VARIANTS}
    item_value = "sum"

    def needs(self, model_kind: str) -> tuple[str, ...]:
        """Whole sentences, by masked or by causal models."""
        variant = self.parameters["variant"]
        needed_kind = "causal" if variant in CAUSAL else "masked"
        return (variant,) if model_kind == needed_kind else ()

    def score(self, item: SentenceItem, texts: ScoredTexts, model_kind: str) -> Mapping[str, float]:
        """Sum over the tokens, but those of kept words, of log P(token | all the others).

        `perplexity` is exp(-mean). By a causal model the sum is a plain log-likelihood.
        """
        text = texts.valid(item.item_id, self.parameters["variant"])
        return {
            "sum": text.total,
            "mean": text.mean,
            "perplexity": float(np.exp(-text.mean)),
            "n_scored": float(text.n_scored),
        }
