"""AUL and AULA of pairs, of Kaneko and Bollegala (2022)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fairflow.language_models.items.text_items import PairItem
from fairflow.language_models.scoring.likelihoods import PairMetric
from fairflow.language_models.slices.answers import ScoredTexts


class AULPreference(PairMetric):
    """In how many pairs is the more stereotyping sentence more probable, with nothing masked?

    The score of a sentence is its AUL, or AULA if `weighted`: each token is then weighted by the
    attention that it gets. See `PairMetric` for the measures; a `metric_score` of 50 is fair.
    Source: Kaneko and Bollegala (2022).

    Cluster: the pair, whose two sentences are exchanged; pairs of one source sentence or one
    template are exchanged together.
    """

    title = "AUL of pairs"
    citation = "kaneko2022unmasking"
    defaults = {"weighted": False}
    choices = {"weighted": (False, True)}

    def needs(self, model_kind: str) -> tuple[str, ...]:
        """Whole sentences, with attention if it is a weight."""
        request = "unmasked+attention" if self.parameters["weighted"] else "unmasked"
        return (request,) if model_kind == "masked" else ()

    def side(
        self, item: PairItem, side: str, texts: ScoredTexts, model_kind: str
    ) -> Mapping[str, float]:
        """AUL, or AULA if `weighted`, not rounded.

        AUL(S) = mean of log P(token | S) over the tokens, without special ones. AULA weights each
        token by the attention that it gets (mean over layers, heads and queries), and still
        divides by the number of tokens (https://doi.org/10.1609/aaai.v36i11.21453).
        """
        text = texts.valid(item.text_id(side), "unmasked")
        of_aula = self.parameters["weighted"]
        score = float(np.mean(text.logp * text.attention)) if of_aula else text.mean
        return {"score": score, "n_scored": float(text.n_scored)}
