"""Pseudo-log-likelihood, and CPS in its target form, in the workflow.

See `fairflow.language_models.metrics.pseudo_log_likelihood`.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.token_request import CAUSAL
from fairflow.language_models.metrics.pseudo_log_likelihood import pseudo_log_likelihood
from fairflow.language_models.scoring.item_metric import ItemMetric, Measured, mean_of
from fairflow.language_models.slices.scored_text import ScoredText

VARIANTS = ("masked", "masked_l2r", "causal")


class PseudoLogLikelihood(ItemMetric):
    """How probable are sentences, each piece given all the others but for words that stay?

    Unit of intervals: the source of a sentence, else its template, else the sentence. Nothing is
    compared, so that there is no test.
    """

    kind = "sentence"
    title = "Pseudo-log-likelihood"
    citation = (
        "Salazar, J., Liang, D., Nguyen, T. Q., & Kirchhoff, K. (2020). Masked Language Model "
        "Scoring. ACL 2020, 2699-2712. https://doi.org/10.18653/v1/2020.acl-main.240"
    )
    signed = False
    measure_names = ("mean",)
    defaults = {"variant": "masked"}
    choices = {"variant": VARIANTS}

    def needs(self, model_kind: str) -> tuple[str, ...]:
        """Whole sentences, by masked or by causal models."""
        variant = self.parameters["variant"]
        wanted = "causal" if variant in CAUSAL else "masked"
        return (variant,) if model_kind == wanted else ()

    def measure(self, items: ItemSet, slice_: Sequence[ScoredText], model_kind: str) -> Measured:
        """Score items."""
        scores = pseudo_log_likelihood(items.items, slice_, **self.parameters)
        values = scores.scored_values
        return Measured(scores, lambda weights: {"mean": mean_of(values, weights)})
