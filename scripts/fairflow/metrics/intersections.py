"""Intersections: the share of words in each quadrant of two contrasts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairflow.errors import DegenerateError
from fairflow.metrics.base_metric import BaseMetric, Sets, word_values
from fairflow.statistics.outcome import Outcome, Reading
from fairflow.statistics.resampling_statistic import (
    Measures,
    TableStatistic,
    Weights,
    mean_columns,
    weighted_means,
)
from fairflow.vectors.directions import cosine
from fairflow.vectors.query_vectors import stratum_of

# Sides of the first and of the second contrast.
QUADRANTS = ("first_first", "first_second", "second_first", "second_second")
# Of each word: its association on either contrast, and the number of its quadrant, -1 of none.
AXES, QUADRANT = ("first_contrast", "second_contrast"), "quadrant"
# An association as small as rounding errors counts as 0.
_NOTHING = 1e-12


class Intersections(BaseMetric):
    """Which of the groups that two contrasts make are words nearest to?

    s1(w) = mean of cos(w, a) over attribute set 1 - mean over set 2; s2(w) the same of sets 3 and
    4: Men and Women, White and Black. The signs of both are the quadrant of a word.
    first_first = share of the target words with s1 > 0 and s2 > 0; first_second, second_first and
    second_second are those of the other signs.

    Between 0 and 1. A word with s1 = 0 or s2 = 0 is in no quadrant, so that shares may sum to less
    than 1. Random words are seldom spread evenly: a share says something next to its null band.
    Source: Charlesworth, Ghate, Caliskan and Banaji (2024), the procedure FISE.

    Examples
    --------
    >>> from fairflow import Query
    >>> from fairflow.metrics import Intersections
    >>> groups = {"he": [1, 0.0, 0], "she": [-1, 0.0, 0], "Anne": [0.0, 1, 0], "Ebony": [0, -1, 0]}
    >>> traits = {"bold": [1.0, 1, 1], "kind": [-1.0, 1, 1], "calm": [-1.0, 2, 1]}
    >>> query = Query([[*traits]], [[name] for name in groups])
    >>> round(Intersections().run_query(query, groups | traits)["second_first"], 2)
    0.67

    See also
    --------
    fairflow.metrics.SCWEAT : words between the two sides of one contrast.
    fairflow.BaseMetric : `run_query` says what all metrics take and return.
    """

    metric_template = (1, 4)
    metric_name = "Flexible Intersectional Stereotype Extraction"
    metric_short_name = "Intersections"
    citation = "charlesworth2024extracting"
    of_directions = True
    signed = False
    nonnegative = True
    measures_bias = False
    measure_names = QUADRANTS
    readings = {
        name: Reading(says=f"share nearer to {' and '.join(name.split('_'))} sets")
        for name in QUADRANTS
    }
    caution = "A share is compared with that of random words, and not with a quarter."

    def compute(self, targets: Sets, attributes: Sets) -> Outcome:
        """The share of each quadrant, and both associations of each word.

        Raises
        ------
        DegenerateError : no word is nearer to either side of a contrast.
        """
        statistic = IntersectionsStatistic.of(targets, attributes)
        means = [mean_columns(table, None) for table in statistic.tables]
        both = statistic.associations(means)
        for axis, (first, second) in zip(both, (attributes[:2], attributes[2:]), strict=True):
            if (np.abs(axis) <= _NOTHING).all():
                raise DegenerateError(
                    f"no word is nearer to {first.name} than to {second.name}, or farther: both "
                    "sets hold the same words; name others"
                )
        shares = statistic.measures(statistic.observed)
        measures = {name: float(share[0]) for name, share in shares.items()}
        values = zip((*AXES, QUADRANT), (*both, statistic.combined(means)), strict=True)
        return Outcome(
            result=measures[QUADRANTS[0]],
            measures=measures,
            words=word_values(targets, {name: of_words[0] for name, of_words in values}),
            resampling=lambda others=targets: IntersectionsStatistic.of(others, attributes),
        )


@dataclass(frozen=True)
class IntersectionsStatistic(TableStatistic):
    """The shares of weighted words. Nothing is exchanged: random words say what chance gives.

    Attributes
    ----------
    tables : for each of the four attribute sets the cosines, (target words, attribute words).
    """

    untestable = "no permutation test: compared with random words, see the null band"

    @classmethod
    def of(cls, targets: Sets, attributes: Sets) -> IntersectionsStatistic:
        """The statistic of these sets."""
        (words,) = targets
        strata = [stratum_of(attribute) for attribute in attributes]
        tables = [cosine(words.vectors, attribute.vectors) for attribute in attributes]
        return cls([stratum_of(words)], strata, tables)

    @staticmethod
    def associations(means: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Both associations of each word, from its mean cosines with four sets: (B, units)."""
        return means[0] - means[1], means[2] - means[3]

    def combined(self, means: Sequence[np.ndarray]) -> np.ndarray:
        """The number of the quadrant of each word, -1 for none, NaN where a set is empty."""
        first, second = self.associations(means)
        quadrant = 2.0 * (first < 0) + (second < 0)
        on_a_line = (np.abs(first) <= _NOTHING) | (np.abs(second) <= _NOTHING)
        return np.where(np.isnan(first + second), np.nan, np.where(on_a_line, -1.0, quadrant))

    def of_values(self, values: np.ndarray, targets: Weights) -> Measures:
        """The weighted share of each quadrant."""
        unknown = np.where(np.isnan(values), np.nan, 0.0)
        return {
            name: weighted_means((values == number) + unknown, targets[0])
            for number, name in enumerate(QUADRANTS)
        }

    def limits(self, measure: str) -> tuple[float, float]:
        """Those of a share."""
        return 0.0, 1.0
