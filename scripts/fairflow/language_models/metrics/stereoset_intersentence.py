"""StereoSet's scores, intersentence, of Nadeem, Bethke and Reddy (2021), of causal models."""

from __future__ import annotations

from fairflow.language_models.items.choice_items import LABELS, ContinuationItem
from fairflow.language_models.metrics.stereoset import StereoSet
from fairflow.language_models.scoring.likelihoods import PER, answer_likelihood
from fairflow.language_models.slices.answers import ScoredTexts


class StereoSetIntersentence(StereoSet):
    """Does a model go on with a stereotype rather than its contrary, and with either than nonsense?

    The measures of `StereoSet`, of sentences by how likely each is behind the context. Its authors
    ask the next-sentence head of masked models, which models of today do not have: of these there
    is no score. Of causal models they take the ratio of mean log-likelihoods with and without
    context; here it is the likelihood given the context, by token unless `per` says otherwise.

    Cluster: the target term, by which scores are averaged; stereotype and anti-stereotype are
    exchanged in all examples of a term at once.
    """

    kind = "continuation"
    title = "StereoSet (intersentence)"
    interpretations = StereoSet.interpretations | {
        "preference": "above 0: stereotypes are likelier to follow"
    }
    defaults = {"per": "piece"}
    choices = {"per": PER}
    asks = {"causal": "continuation"}

    def sentence_scores(
        self, item: ContinuationItem, texts: ScoredTexts, model_kind: str
    ) -> list[float]:
        """The log-likelihood of the sentence of each label behind the context."""
        return [
            answer_likelihood(
                texts.valid(item.text_id(label), "continuation"),
                item.sentences[label],
                self.parameters["per"],
            )
            for label in LABELS
        ]
