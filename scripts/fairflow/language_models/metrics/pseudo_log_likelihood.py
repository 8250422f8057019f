"""Pseudo-log-likelihood of sentences, whole or around words that stay: CPS in its target form.

Salazar, Liang, Nguyen & Kirchhoff 2020 (https://doi.org/10.18653/v1/2020.acl-main.240); left to
right within words: Kauf & Ivanova 2023 (https://doi.org/10.18653/v1/2023.acl-short.80); with words
that stay: Nangia, Vania, Bhalerao & Bowman 2020 (https://doi.org/10.18653/v1/2020.emnlp-main.154).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from fairflow.language_models.errors import Invalid
from fairflow.language_models.items.sentence_item import SentenceItem
from fairflow.language_models.scoring.item_scores import ItemScores, item_scores, mean_or_nan
from fairflow.language_models.slices.scored_text import ScoredText, ScoredTexts


def pseudo_log_likelihood(
    items: Iterable[SentenceItem], texts: Iterable[ScoredText], variant: str = "masked"
) -> ItemScores:
    """Sum over the pieces, but those of kept words, of log P(piece | all the others).

    `perplexity` is exp(-mean).

    Parameters
    ----------
    variant : "masked", "masked_l2r", or of causal models "causal" (then a plain log-likelihood).

    An item is invalid if a kept word does not occur in its sentence.
    """
    texts = ScoredTexts(texts)

    def score(item: SentenceItem) -> Mapping[str, float]:
        if item.absent:
            absent = ", ".join(map(repr, item.absent))
            raise Invalid("target_absent", f"{absent} is not in {item.text!r}")
        text = texts.valid(item.item_id, variant)
        return {
            "sum": text.total,
            "mean": text.mean,
            "perplexity": math.exp(-text.mean),
            "n_scored": float(text.n_scored),
        }

    return item_scores(
        "pseudo_log_likelihood",
        "sum",
        items,
        score,
        lambda s: {"mean": mean_or_nan(s.scored_values)},
    )
