"""Analogies along a direction, after Bolukbasi et al. (2016)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fairflow.errors import DegenerateError
from fairflow.metrics._direction import BOLUKBASI_2016, direction_of
from fairflow.metrics.base_metric import BaseMetric
from fairflow.statistics.outcome import Outcome, WordValue
from fairflow.vectors.analogy_pairs import analogy_pairs
from fairflow.vectors.looked_at import LookedAt
from fairflow.vectors.query_vectors import PairVectors, WordVectors


class Analogies(BaseMetric):
    """Which pairs of words does the model hold for what the declared pairs are?

    score(x, y) = g . (x - y) / |x - y| for unit vectors with |x - y| < 1, with g the direction of
    the declared pairs, of one pair its difference at length 1. The pairs with the highest scores
    are taken, each word once on its side. Between 0 and 1: 1 of pairs that differ in the direction
    alone.

    `mean_score` is the mean over the pairs taken, `last_score` the lowest of them, `pairs` their
    number. There is no model to compare with: a direction by chance has analogies, too, of lower
    scores. Nothing is resampled, as the words are all of a vocabulary.

    Of each pair, named "x|y": `place`, from 1, and `score`.
    """

    metric_template = ("n", 0)
    metric_name = "Analogies along a Direction"
    metric_short_name = "Analogies"
    citation = BOLUKBASI_2016
    signed = False
    nonnegative = True
    of_directions = True
    measure_names = ("mean_score", "last_score", "pairs")
    unranked = ("last_score", "pairs")
    readings = {
        "mean_score": "1: pairs that differ in the direction alone",
        "last_score": "of the last pair taken",
        "pairs": "how many were found",
    }
    needs = ("pairs", "vocabulary")

    def compute(
        self,
        targets: Sequence[WordVectors],
        attributes: Sequence[WordVectors],
        pairs: PairVectors,
        vocabulary: LookedAt,
        count: int = 500,
        longest: float = 1.0,
    ) -> Outcome:
        """The pairs of the vocabulary that differ most nearly along the direction.

        Parameters
        ----------
        pairs : the declared pairs that the model has whole. vocabulary : where analogies are
            sought.
        count : how many are taken. longest : those whose words lie farther apart are none; 1 is
            the distance of unit vectors at 60 degrees.

        Raises
        ------
        DegenerateError : the words of the pairs do not differ, or there is no analogy.
        """
        found = analogy_pairs(vocabulary.directions, direction_of(pairs).basis[0], count, longest)
        if not len(found.scores):
            raise DegenerateError(f"no two words lie nearer than {longest:g}")
        words = vocabulary.words
        names = [f"{words[x]}|{words[y]}" for x, y in found.rows.tolist()]
        scores = found.scores.tolist()
        places = range(1, len(names) + 1)
        measures = {
            "mean_score": math.fsum(scores) / len(scores),
            "last_score": scores[-1],
            "pairs": float(len(scores)),
        }
        return Outcome(
            result=measures["mean_score"],
            measures=measures,
            details={"n_pairs": len(pairs.words), "n_words": len(words)},
            words=[
                WordValue("analogies", name, measure, float(value))
                for measure, values in (("place", places), ("score", scores))
                for name, value in zip(names, values, strict=True)
            ],
        )
