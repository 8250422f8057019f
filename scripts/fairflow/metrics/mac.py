"""MAC: mean average cosine, after Manzini, Lim, Black and Tsvetkov (2019)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairflow.cosine import mean_unit, unit
from fairflow.metrics.base_metric import BaseMetric, Outcome, WordValue
from fairflow.vectors.query_vectors import WordVectors


class MAC(BaseMetric):
    """How far are the target words from the attribute sets?

    e(t, A) = mean over a in A of the cosine distance 1 - cos(t, a); mac = mean of e over all pairs
    of a target word and an attribute set. Between 0 and 2; 1 means no association, and a larger
    value is read as fairer.
    """

    metric_template = ("n", "n")
    metric_name = "Mean Average Cosine Similarity"
    metric_short_name = "MAC"
    citation = "Manzini et al. 2019, https://doi.org/10.18653/v1/N19-1062"
    larger_is_fairer = True
    signed = False
    nonnegative = True
    measure_names = ("mac",)
    empty_details = {"targets_eval": {}}

    def compute(self, targets: Sequence[WordVectors], attributes: Sequence[WordVectors]) -> Outcome:
        """The mean distance, and that of each word to each attribute set."""
        evaluations = [
            # (target words, attribute sets)
            np.column_stack([mean_distances(t.vectors, a.vectors) for a in attributes])
            for t in targets
        ]
        mac = float(np.concatenate(evaluations).mean())
        names = [attribute.name for attribute in attributes]
        return Outcome(
            result=mac,
            measures={"mac": mac},
            details={
                "targets_eval": {
                    target.name: {
                        word: dict(zip(names, row, strict=True))
                        for word, row in zip(target.words, values.tolist(), strict=True)
                    }
                    for target, values in zip(targets, evaluations, strict=True)
                }
            },
            words=[
                WordValue(target.name, word, f"distance to {name}", value)
                for target, values in zip(targets, evaluations, strict=True)
                for word, row in zip(target.words, values.tolist(), strict=True)
                for name, value in zip(names, row, strict=True)
            ],
        )


def mean_distances(words: np.ndarray, attributes: np.ndarray) -> np.ndarray:
    """Mean cosine distance of each word to the attributes: (n, dims), (m, dims) -> (n,)."""
    return np.clip(1 - unit(words) @ mean_unit(attributes), 0, 2)
