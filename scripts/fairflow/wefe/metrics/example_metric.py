"""`wefe.metrics.example_metric`: a metric of a formula of one's own."""

from __future__ import annotations

from collections.abc import Sequence

from fairflow.statistics.outcome import Outcome
from fairflow.vectors.directions import cosine
from fairflow.vectors.query_vectors import WordVectors
from fairflow.wefe.metrics.base_metric import BaseMetric, run_query


class ExampleMetric(BaseMetric):
    """Which of two groups has its mean vector nearer, by cosine, to that of the attribute words?

    The distance of the first group minus that of the second; 0 is fair.
    """

    metric_template = (2, 1)
    metric_name = "Example Metric"
    metric_short_name = "EM"
    measure_names = ("em",)

    run_query = run_query

    def compute(self, targets: Sequence[WordVectors], attributes: Sequence[WordVectors]) -> Outcome:
        """The difference of the distances of two mean vectors."""
        means = (words.vectors.mean(axis=0, keepdims=True) for words in (*targets, *attributes))
        first, second, attribute = means
        em = (cosine(second, attribute) - cosine(first, attribute)).item()
        return Outcome(result=em, measures={"em": em})
