"""Heat maps of the rank correlations between metrics.

Here those that publications print.
"""

from fairflow.products.figures.correlation_heatmaps import CorrelationHeatmaps


class PublishedCorrelationHeatmaps(CorrelationHeatmaps):
    """Draw the published correlations in the manner of `correlation_heatmaps`."""

    source = "published"
