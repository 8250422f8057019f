"""SAME, the scoring association means of word embeddings of Schröder et al. (2022)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fairflow.errors import DegenerateError
from fairflow.metrics._direction import outcome_of_means
from fairflow.metrics.base_metric import BaseMetric
from fairflow.statistics.outcome import Outcome
from fairflow.vectors.directions import NOISE, mean_unit, unit
from fairflow.vectors.query_vectors import WordVectors


class SAME(BaseMetric):
    """How far do target words lie in the space that tells attribute sets apart?

    a_i = mean of the unit vectors of attribute set i; B = an orthonormal basis of the differences
    a_i - a_0. same(t) = |B t| / |t|, of two sets |cos(t, a_0 - a_1)|; same = mean over the target
    words. Between 0 and 1; 0 is fair. Unlike WEAT's and MAC's its size does not depend on how far
    the attribute sets lie apart.

    Of two attribute sets `same_skew` is the mean of the signed cosines, positive towards the first
    set, and `same_stereotype` their standard deviation: words that lean together, and words that
    lean to either side.
    """

    metric_template = ("n", "n")
    metric_name = "Scoring Association Means of Word Embeddings"
    metric_short_name = "SAME"
    citation = "schroder2022same"
    signed = False
    nonnegative = True
    of_directions = True
    measure_names = ("same", "same_difference", "same_skew", "same_stereotype")
    hangs_on_dimension = measure_names
    unranked = ("same_difference", "same_skew", "same_stereotype")
    interpretations = {
        "same": "0: no association",
        "same_difference": "above 0: first targets more associated",
        "same_skew": "above 0: nearer to the first attributes",
        "same_stereotype": "0: all words lean alike",
    }

    @classmethod
    def check_template(cls, template: tuple[int, int]) -> None:
        """Refuse fewer than two attribute sets, which nothing tells apart.

        Raises
        ------
        ValueError : naming the template found and the one expected.
        """
        super().check_template(template)
        if template[1] < 2:
            raise ValueError("SAME takes at least 2 attribute sets, the query has 1")

    def compute(self, targets: Sequence[WordVectors], attributes: Sequence[WordVectors]) -> Outcome:
        """The mean, and the value of each word.

        Raises
        ------
        DegenerateError : the means of the attribute sets do not differ.
        """
        basis = _basis([mean_unit(words.vectors) for words in attributes])

        def values_of(sets: Sequence[WordVectors]) -> list[np.ndarray]:
            return [np.linalg.norm(unit(words.vectors) @ basis.T, axis=1) for words in sets]

        two = len(attributes) == 2
        signed = np.concatenate([unit(words.vectors) for words in targets]) @ basis[0]
        outcome = outcome_of_means(
            self.measure_names[:2],
            targets,
            values_of,
            more=lambda _: {"signed": signed} if two else {},
        )
        spread = (signed.mean(), signed.std()) if two else (math.nan, math.nan)
        others = dict(zip(self.measure_names[2:], map(float, spread), strict=True))
        reasons = {} if two else dict.fromkeys(others, "needs two attribute sets")
        return replace(
            outcome, measures=outcome.measures | others, reasons=outcome.reasons | reasons
        )


def _basis(means: Sequence[np.ndarray]) -> np.ndarray:
    """Orthonormal rows that span the differences of the first mean from the others."""
    differences = means[0] - np.array(means[1:])
    _, values, rows = np.linalg.svd(differences, full_matrices=False)
    rank = int((values > NOISE).sum())
    if not rank:
        raise DegenerateError("the means of the attribute sets do not differ")
    # One difference is its own direction, sign included.
    return differences / values[0] if len(differences) == 1 else rows[:rank]
