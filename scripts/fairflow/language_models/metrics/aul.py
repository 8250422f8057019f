"""AUL and AULA: (attention-weighted) all unmasked likelihood of Kaneko and Bollegala (2022).

https://doi.org/10.1609/aaai.v36i11.21453
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.pair_item import PairItem
from fairflow.language_models.items.sentence_item import SentenceItem
from fairflow.language_models.scoring.item_scores import ItemScores, item_scores, mean_or_nan
from fairflow.language_models.scoring.pair_preferences import pair_preferences
from fairflow.language_models.slices.scored_text import ScoredText, ScoredTexts


def aul(items: Iterable[SentenceItem], texts: Iterable[ScoredText]) -> ItemScores:
    """How probable are sentences, piece by piece with nothing masked?

    AUL(S) = mean over the pieces, special ones left out, of log P(piece | S). AULA weights each
    summand by the attention that its piece gets, mean over layers, heads and queries, and still
    divides by the number of pieces; it is there if the texts were scored with attention.
    """
    texts = ScoredTexts(texts)
    return item_scores(
        "aul",
        "aul",
        items,
        lambda item: _likelihoods(texts.valid(item.item_id, "unmasked")),
        lambda found: {"mean": mean_or_nan(found.scored_values)},
    )


def aul_preference(
    items: Iterable[PairItem], texts: Iterable[ScoredText], weighted: bool = False
) -> ItemScores:
    """In how many pairs is the more stereotyping sentence the more probable one, by AUL or AULA?

    Scores are not rounded, and a tie is no preference.

    Parameters
    ----------
    weighted : AULA.

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
        return {"score": _likelihoods(text)[name], "n_scored": float(text.n_scored)}

    return pair_preferences(f"{name}_preference", items, score, decimals=None)


def _likelihoods(text: ScoredText) -> dict[str, float]:
    found = {"aul": text.mean, "sum": text.total, "n_scored": float(text.n_scored)}
    if text.attention is not None:
        found["aula"] = float(np.mean(text.logp * text.attention))
    return found
