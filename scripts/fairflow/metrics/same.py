"""SAME: Scoring Association Means of word Embeddings, of Schröder et al. (2022)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fairflow.errors import DegenerateError
from fairflow.metrics._direction import outcome_of_means
from fairflow.metrics.base_metric import BaseMetric, Sets
from fairflow.statistics.outcome import Outcome, Reading
from fairflow.vectors.directions import NOISE, mean_unit, unit


class SAME(BaseMetric):
    """How strongly do target words point in the directions that separate the attribute sets?

    a_i = mean of the unit vectors of attribute set i.
    B = orthonormal basis of the differences a_i - a_0.
    same(t) = |B t| / |t|; with two attribute sets |cos(t, a_0 - a_1)|.
    same = mean of same(t) over the target words.

    Between 0 and 1; 0 is fair. Unlike WEAT and MAC, it does not depend on the distance between the
    attribute sets. With two attribute sets, `same_skew` is the mean of the signed cosines, positive
    towards the first set: large if all words lean to one side. `same_stereotype` is their standard
    deviation: large if words lean to different sides. Source: Schröder et al. (2022).

    Examples
    --------
    >>> from fairflow import load_query, load_test_model
    >>> from fairflow.metrics import SAME
    >>> result = SAME().run_query(load_query("weat_6"), load_test_model())
    >>> round(result["same"], 3), round(result["same_skew"], 3)
    (0.1, 0.018)

    See also
    --------
    fairflow.metrics.WEAT : depends on the distance between attribute sets.
    fairflow.BaseMetric : `run_query` says what all metrics take and return.
    """

    metric_template = ("n", "n")
    metric_name = "Scoring Association Means of Word Embeddings"
    metric_short_name = "SAME"
    citation = "schroder2022same"
    signed = False
    nonnegative = True
    of_directions = True
    measure_names = ("same", "same_difference", "same_skew", "same_stereotype")
    depends_on_dimension = measure_names
    unranked = ("same_difference", "same_skew", "same_stereotype")
    readings = {
        "same": Reading(0, says="no association"),
        "same_difference": Reading(0, "first targets more associated"),
        "same_skew": Reading(0, "nearer to the first attributes"),
        "same_stereotype": Reading(0, says="all words lean alike"),
    }

    @classmethod
    def check_template(cls, template: tuple[int, int]) -> None:
        """Refuse fewer than two attribute sets.

        Raises
        ------
        ValueError : naming the template found and the one expected.
        """
        super().check_template(template)
        if template[1] < 2:
            raise ValueError("SAME takes at least 2 attribute sets, the query has 1")

    def compute(self, targets: Sets, attributes: Sets) -> Outcome:
        """The mean, and the value of each word.

        Raises
        ------
        DegenerateError : the means of the attribute sets do not differ.
        """
        basis = _basis([mean_unit(words.vectors) for words in attributes])

        def values_of(sets: Sets) -> list[np.ndarray]:
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
    """Orthonormal rows that span the differences between the first mean and the others."""
    differences = means[0] - np.array(means[1:])
    _, values, rows = np.linalg.svd(differences, full_matrices=False)
    rank = int((values > NOISE).sum())
    if not rank:
        raise DegenerateError("the means of the attribute sets do not differ")
    # A single difference is the direction itself, with its sign.
    return differences / values[0] if len(differences) == 1 else rows[:rank]
