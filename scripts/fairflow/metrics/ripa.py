"""RIPA: relational inner product association of Ethayarajh, Duvenaud and Hirst (2019)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairflow.errors import DegenerateError
from fairflow.metrics.base_metric import BaseMetric, Sets, word_values
from fairflow.statistics.outcome import Outcome, Reading
from fairflow.statistics.resampling_statistic import (
    Measures,
    Stratum,
    TableStatistic,
    Weights,
    weighted_sums,
)
from fairflow.vectors.query_vectors import WordVectors, stratum_of


class RIPA(BaseMetric):
    """Which group are the attribute words nearer to, along the direction between paired words?

    b_i = (x_i - y_i) / |x_i - y_i| for the i-th words x_i, y_i of the two target sets.
    ripa = mean of a . b_i over all attribute words a and pairs i.

    0 is fair; a positive value means nearer to the first set. Values grow with the length of the
    attribute vectors and have no limits. Source: Ethayarajh, Duvenaud and Hirst (2019).

    Words are paired by their position in the query. A pair with a missing word is left out; WEFE
    instead pairs the i-th words that it finds.

    Examples
    --------
    >>> from fairflow import Query, load_test_model
    >>> from fairflow.metrics import RIPA
    >>> pairs = [["he", "him", "man"], ["she", "her", "woman"]]
    >>> query = Query(pairs, [["engineer", "boss", "captain"]], ["Men", "Women"], ["Jobs"])
    >>> RIPA().run_query(query, load_test_model())
    <RIPA of Men and Women wrt Jobs: 0.3093, 0 of 9 words lost>

    See also
    --------
    fairflow.metrics.Projection : one direction of all pairs together.
    fairflow.metrics.RND : without pairs.
    fairflow.BaseMetric : `run_query` says what all metrics take and return.
    """

    metric_template = (2, 1)
    metric_name = "Relational Inner Product Association"
    metric_short_name = "RIPA"
    citation = "ethayarajh2019understanding"
    measure_names = depends_on_dimension = ("ripa",)
    # Inner products grow with the attribute vectors.
    depends_on_length = True
    word_measure = "mean"
    readings = {"ripa": Reading(0, "attributes with first targets")}
    empty_details = {"word_values": {}, "n_pairs": 0}

    def compute(self, targets: Sets, attributes: Sets) -> Outcome:
        """The mean inner product; for each word its mean and population sd over pairs.

        Raises
        ------
        DegenerateError : no pair is complete, or the two words of a pair have the same vector.
        """
        (attribute,) = attributes
        directions = pair_directions(*targets)  # (pairs, dims)
        products = attribute.vectors @ directions.T  # (attribute words, pairs)
        means, sds = products.mean(axis=1), products.std(axis=1)
        ripa = float(means.mean())
        return Outcome(
            result=ripa,
            measures={"ripa": ripa},
            details={
                "word_values": {
                    word: {"mean": float(mean), "std": float(sd)}
                    for word, mean, sd in zip(attribute.words, means, sds, strict=True)
                },
                "n_pairs": len(directions),
            },
            words=word_values(attributes, {"mean": means, "std": sds}),
            resampling=lambda others=targets: RIPAStatistic.of(others, attribute),
        )


@dataclass(frozen=True)
class RIPAStatistic(TableStatistic):
    """RIPA for weighted pairs: the unit is a pair of target words.

    Null hypothesis of the test: it is arbitrary which word of a pair is in the first target set.
    Exchanged: the two words of a pair, which reverses its direction. Statistic: ripa.

    Attributes
    ----------
    tables : one table, the inner products of directions and attribute words,
        (pairs, attribute words).
    """

    tested = "mean inner product"
    tested_measures = ("ripa",)
    exchanged = "signs"

    @classmethod
    def of(cls, targets: Sets, attribute: WordVectors) -> RIPAStatistic:
        """The statistic of these sets."""
        return cls(
            targets=[pair_stratum(*targets)],
            attributes=[stratum_of(attribute)],
            tables=[pair_directions(*targets) @ attribute.vectors.T],
        )

    def combined(self, means: Sequence[np.ndarray]) -> np.ndarray:
        """The mean product of each pair."""
        return means[0]

    def of_values(self, means: np.ndarray, targets: Weights) -> Measures:
        """The mean inner product; a pair with a negative weight is reversed."""
        (weights,) = targets
        total = np.abs(weights).sum(axis=1)
        return {"ripa": weighted_sums(means, weights) / np.where(total > 0, total, np.nan)}

    @property
    def magnitude(self) -> float:
        """The largest inner product."""
        return float(np.abs(self.tables[0]).max())


def complete_pairs(first: WordVectors, second: WordVectors) -> np.ndarray:
    """Position in the query and rows in the two sets of each complete pair: (pairs, 3)."""
    pairs = [
        (position, left, right)
        for position, (left, right) in enumerate(zip(first.row_of, second.row_of, strict=False))
        if left >= 0 and right >= 0
    ]
    if not pairs:
        raise DegenerateError("no pair of target words was found whole")
    return np.array(pairs)


def pair_stratum(first: WordVectors, second: WordVectors) -> Stratum:
    """The complete pairs as units."""
    positions, left, right = complete_pairs(first, second).T
    asked = zip(first.asked or first.words, second.asked or second.words, strict=False)
    words = tuple(f"{x}/{y}" for x, y in asked)
    unit_of = np.full(len(words), -1)
    unit_of[positions] = np.arange(len(positions))
    names = [f"{first.words[i]}/{second.words[j]}" for i, j in zip(left, right, strict=True)]
    return Stratum(words, unit_of, tuple(names))


def pair_directions(first: WordVectors, second: WordVectors) -> np.ndarray:
    """Unit vectors from the second word of each complete pair to the first: (pairs, dims)."""
    _, left, right = complete_pairs(first, second).T
    differences = first.vectors[left] - second.vectors[right]
    lengths = np.linalg.norm(differences, axis=1, keepdims=True)
    same = [first.words[i] for i, length in zip(left, lengths[:, 0], strict=True) if length == 0]
    if same:
        raise DegenerateError(f"both words of a pair have the same vector: {', '.join(same)}")
    return differences / lengths
