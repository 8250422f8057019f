"""Do pronouns follow the share of women in occupations? After Rudinger et al. (2018)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.text_items import PairItem
from fairflow.language_models.scoring.item_metric import ItemScores, Measured, Reading, by_group
from fairflow.language_models.scoring.likelihoods import PairLogOdds
from fairflow.statistics.rank_tests import weighted_spearman


class ShareCorrelation(PairLogOdds):
    """Do the log-odds of the first version of a sentence grow with the value of its cluster?

    For Winogender: log-odds of the feminine over the masculine pronoun (mean over the sentences of
    an occupation) against the share of women in the occupation. `correlation` is Pearson's, from -1
    to 1: above 0, the model follows the division of labour; 0 is no relation. `rank_correlation` is
    Spearman's. `slope` is the increase of the log-odds (natural logarithms) from a share of 0 to a
    share of 1, by least squares. `mean_log_odds` is above 0 if the feminine pronoun is more
    probable whatever the occupation. Source: after Rudinger et al. (2018), who use the antecedent
    that a coreference system chooses for each pronoun instead of log-odds.

    The log-odds are the difference between the log-likelihoods of both versions for a causal model,
    and between the mean log-probabilities of the tokens that differ, each masked alone, for a
    masked model.

    Cluster: the occupation. Both versions of its sentences are exchanged together. Shares do not
    change in an exchange, so the slope is tested. The correlation has the sign of the slope and is
    0 with it, so the p-value is reported for both.
    """

    title = "Correlation with shares"
    citation = "rudinger2018gender"
    measure_names = ("correlation", "rank_correlation", "slope", "mean_log_odds")
    readings = dict.fromkeys(measure_names[:3], Reading(0, "pronouns follow shares of women"))

    def query_problem(self, items: ItemSet) -> str | None:
        """Pairs of one cluster have one value."""
        value_of: dict[str, float | None] = {}
        for item in items.items:
            if value_of.setdefault(item.cluster_id, item.value) != item.value:
                return f"{self.title}: the pairs of {item.cluster_id!r} have values that differ"
        if value_of and not any(value is not None for value in value_of.values()):
            return f"{self.title} needs a value of each pair, and no pair of the query has one"
        return None

    def problem(self, item: PairItem) -> str | None:
        """The pair needs a value."""
        return "the pair has no value to compare its log-odds with" if item.value is None else None

    def summary(self, scores: ItemScores, items: Sequence[PairItem]) -> Measured:
        """How the log-odds of clusters go with their values."""
        odds = scores.scored_values
        clusters, cluster_of, sizes, of_cluster = by_group(scores.of("cluster_id"))
        share = np.zeros(len(clusters))
        share[cluster_of] = scores.of("value")

        def formula(weights: np.ndarray) -> dict[str, np.ndarray]:
            return _summary(odds, share, of_cluster, weights)

        # The slope is the mean of these: exchanging versions does not change the shares.
        centred = share - share.mean() if len(share) else share
        spread = centred @ centred
        signs = None
        if spread > 0:
            signs = odds * centred[cluster_of] / (sizes[cluster_of] * spread) * len(odds)
        tested = "slope of the log-odds on the values"
        ends = dict.fromkeys(("correlation", "rank_correlation"), (-1.0, 1.0))
        return Measured(scores, formula, signs, tested, ("correlation", "slope"), limits=ends)


def _summary(
    odds: np.ndarray, share: np.ndarray, of_cluster: np.ndarray, weights: np.ndarray
) -> dict[str, np.ndarray]:
    """Correlations, slope and mean of the clusters' means, weighted by their pairs."""
    names = ShareCorrelation.measure_names
    if not len(share):
        return dict.fromkeys(names, np.full(len(weights), np.nan))
    total = weights @ of_cluster
    means = ((weights * odds) @ of_cluster) / np.where(total > 0, total, 1)
    # The weight of a cluster is the mean weight of its pairs: the number of times it was drawn.
    counts = total / of_cluster.sum(axis=0)
    number = counts.sum(axis=1, keepdims=True)
    share_weights = counts / np.where(number > 0, number, np.nan)
    mean_odds = (share_weights * means).sum(axis=1)
    mean_share = share_weights @ share
    x = share - mean_share[:, np.newaxis]
    y = means - mean_odds[:, np.newaxis]
    covariance, spread_x, spread_y = (
        (share_weights * product).sum(axis=1) for product in (x * y, x * x, y * y)
    )
    scale = np.sqrt(spread_x * spread_y)
    shares = np.broadcast_to(share, means.shape)
    return {
        "correlation": covariance / np.where(scale > 0, scale, np.nan),
        "rank_correlation": weighted_spearman(means, shares, counts),
        "slope": covariance / np.where(spread_x > 0, spread_x, np.nan),
        "mean_log_odds": mean_odds,
    }
