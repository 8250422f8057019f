"""AUL and AULA of pairs, of Kaneko and Bollegala (2022)."""

from __future__ import annotations

from collections.abc import Mapping

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.text_items import PairItem
from fairflow.language_models.scoring.likelihoods import PairMetric, unmasked_likelihoods
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

        Raises
        ------
        ItemError : `weighted`, and the text was scored without attention.
        """
        found = unmasked_likelihoods(texts.valid(item.text_id(side), "unmasked"))
        name = "aula" if self.parameters["weighted"] else "aul"
        if name not in found:
            raise ItemError(
                f"AULA needs attention weights, but text {item.text_id(side)!r} was scored without "
                "them; make the token slice again with attention, or use `weighted: false`"
            )
        return {"score": found[name], "n_scored": found["n_scored"]}
