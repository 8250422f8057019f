"""StereoSet's intersentence scores for causal models, of Nadeem, Bethke and Reddy (2021)."""

from __future__ import annotations

from fairflow.language_models.items.choice_items import LABELS, ContinuationItem
from fairflow.language_models.metrics.stereoset import StereoSet
from fairflow.language_models.slices.answers import ScoredTexts
from fairflow.statistics.outcome import Reading


class StereoSetIntersentence(StereoSet):
    """Does a model continue with stereotypes, not anti-stereotypes, and with either, not nonsense?

    The measures of `StereoSet`, with the likelihood of each sentence after the context, per token.
    The authors (Nadeem, Bethke and Reddy 2021) use the ratio of mean
    log-likelihoods with and without context for causal models. For masked models they use the
    next-sentence head, which current models do not have; there is no score for these.

    Cluster: the target term, over which scores are averaged; stereotype and anti-stereotype are
    exchanged in all examples of a term at once.
    """

    kind = "continuation"
    title = "StereoSet (intersentence)"
    readings = StereoSet.readings | {
        "preference": Reading(0, "stereotypes are likelier to follow", published_shift=50)
    }
    asks = {"causal": "continuation"}

    def sentence_scores(
        self, item: ContinuationItem, texts: ScoredTexts, model_kind: str
    ) -> list[float]:
        """The log-likelihood of the sentence of each label after the context."""
        return [texts.valid(item.text_id(label), "continuation").mean for label in LABELS]
