"""ECT: embedding coherence test of Dev and Phillips (2019)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fairflow.cosine import cosine
from fairflow.metrics.base_metric import BaseMetric, Outcome, WordValue, mean_direction
from fairflow.rank_statistics import spearman
from fairflow.vectors.query_vectors import WordVectors


class ECT(BaseMetric):
    """Do two groups rank the attribute words in the same order?

    ect = Spearman correlation, over the attribute words, of their cosines with the mean vectors
    of the two target sets. Between -1 and 1; 1 is fair.
    """

    metric_template = (2, 1)
    metric_name = "Embedding Coherence Test"
    metric_short_name = "ECT"
    citation = "Dev & Phillips 2019, https://proceedings.mlr.press/v89/dev19a.html"
    larger_is_fairer = True
    signed = False
    measure_names = ("ect",)

    def compute(self, targets: Sequence[WordVectors], attributes: Sequence[WordVectors]) -> Outcome:
        """The rank correlation; NaN when one of the two rankings is constant.

        Raises
        ------
        DegenerateError : the mean vector of a target set is zero.
        """
        (attribute,) = attributes
        means = np.array([mean_direction(target) for target in targets])  # (2, dims)
        similarities = cosine(means, attribute.vectors)  # (2, attribute words)
        ect = spearman(*similarities)
        return Outcome(
            result=ect,
            measures={"ect": ect},
            words=[
                WordValue(attribute.name, word, f"similarity to {target.name}", value)
                for target, row in zip(targets, similarities.tolist(), strict=True)
                for word, value in zip(attribute.words, row, strict=True)
            ],
            reasons={"ect": "a ranking of fewer than two distinct values"}
            if math.isnan(ect)
            else {},
        )
