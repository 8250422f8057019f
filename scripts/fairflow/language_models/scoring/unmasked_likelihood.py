"""AUL and AULA of one text: (attention-weighted) all unmasked likelihood.

Kaneko & Bollegala 2022 (https://doi.org/10.1609/aaai.v36i11.21453).
"""

from __future__ import annotations

import numpy as np

from fairflow.language_models.slices.scored_text import ScoredText


def unmasked_likelihoods(text: ScoredText) -> dict[str, float]:
    """How probable is a text, piece by piece with nothing masked?

    AUL(S) = mean over the pieces, special ones left out, of log P(piece | S). AULA weights each
    summand by the attention that its piece gets, mean over layers, heads and queries, and still
    divides by the number of pieces; it is there if the text was scored with attention.
    """
    values = {"aul": text.mean, "sum": text.total, "n_scored": float(text.n_scored)}
    if text.attention is not None:
        values["aula"] = float(np.mean(text.logp * text.attention))
    return values
