"""Do pronouns follow the share of women in occupations? After Rudinger et al. (2018)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.text_items import PairItem
from fairflow.language_models.scoring.item_metric import ItemScores, Measured, by_group
from fairflow.language_models.scoring.likelihoods import PairLogOdds
from fairflow.statistics.rank_tests import weighted_spearman


class ShareCorrelation(PairLogOdds):
    """Does the log-odds of the first version of a sentence grow with the value of its cluster?

    Of Winogender: the log-odds of the feminine pronoun over the masculine one, and the share of
    women in the occupation, over occupations, each the mean of its sentences. `correlation` is
    Pearson's, from -1 to 1: above 0 the model goes with the division of labour, 0 says that it
    does not. `rank_correlation` is Spearman's. `slope` is by how much the log-odds (natural
    logarithms) grow from a share of 0 to one of 1, by least squares; `mean_log_odds` their mean,
    above 0 where the feminine pronoun is likelier whatever the occupation. Rudinger et al. take
    for log-odds which antecedent a coreference system chooses for either pronoun.

    The log-odds are the difference of the log-likelihoods of both versions by a causal model, of
    the mean log-probability of the tokens that differ by a masked one, each masked alone.

    Cluster: the occupation. Both versions of its sentences are exchanged together; as shares stay
    where they are, what is tested is the slope. The correlation is 0 where the slope is, and has
    its sign, so that the test stands beside both.
    """

    title = "Correlation with shares"
    citation = "rudinger2018gender"
    measure_names = ("correlation", "rank_correlation", "slope", "mean_log_odds")
    interpretations = dict.fromkeys(measure_names[:3], "above 0: pronouns follow shares of women")

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
        """It needs a value."""
        return "the pair has no value to compare its log-odds with" if item.value is None else None

    def summary(self, scores: ItemScores, items: Sequence[PairItem]) -> Measured:
        """How the log-odds of clusters go with their values."""
        odds = scores.scored_values
        clusters, cluster_of, sizes, of_cluster = by_group(scores.of("cluster_id"))
        share = np.zeros(len(clusters))
        share[cluster_of] = scores.of("value")

        def formula(weights: np.ndarray) -> dict[str, np.ndarray]:
            return _summary(odds, share, of_cluster, weights)

        # The slope is the mean of these: shares are as far apart whatever versions are exchanged.
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
    """Correlations, slope and mean of the means of clusters, each with the weight of its pairs."""
    names = ShareCorrelation.measure_names
    if not len(share):
        return dict.fromkeys(names, np.full(len(weights), np.nan))
    total = weights @ of_cluster
    means = ((weights * odds) @ of_cluster) / np.where(total > 0, total, 1)
    # Of a cluster the mean weight of its pairs: it counts as often as it was drawn.
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
