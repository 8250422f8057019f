"""Stacked bars of the ranks of the models.

Here by the scores of publications.
"""

from fairflow.products.figures.ranking_bars import RankingBars


class PublishedRankingBars(RankingBars):
    """Draw the ranks of the published scores, in the manner of `ranking_bars`."""

    source = "published"
