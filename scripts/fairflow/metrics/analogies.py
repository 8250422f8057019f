"""Analogies along a direction, after Bolukbasi et al. (2016).

For unit vectors x and y and a unit direction g the score of (x, y) is g . (x - y) / |x - y|, the
cosine of the difference with the direction; pairs that lie apart by `longest` or more do not count.
Of n words there are n^2 pairs, of which a few hundred are wanted. Words are put in the order of
g . w, and products of blocks of them are made from the pairs of blocks that lie farthest apart
along g to those that lie together. A score of s needs |x - y| <= g . (x - y) / s, so that, as soon
as enough pairs are known, only near neighbours can still be among the best.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from fairflow.errors import DegenerateError
from fairflow.metrics._direction import DirectionMetric, direction_of
from fairflow.statistics.outcome import Outcome, WordValue
from fairflow.vectors.query_vectors import PairVectors, VocabularyVectors, WordVectors

# Words of a block: products of two blocks take 16 MB.
BLOCK = 2048
# So many pairs more than wanted decide how good a pair must be, as a better one may displace two.
SPARE = 1.5
# What products in single precision may be off.
ROUNDING = 1e-5


@dataclass(frozen=True, eq=False)
class AnalogyPairs:
    """Pairs of words in the order of their scores.

    Attributes
    ----------
    rows : of the word on the positive side and of that on the negative one, (pairs, 2).
    scores : (pairs,), between 0 and 1, descending.
    """

    rows: np.ndarray
    scores: np.ndarray


def analogy_pairs(
    directions: np.ndarray, direction: np.ndarray, count: int, longest: float = 1.0
) -> AnalogyPairs:
    """The best pairs, each word used once on either side: those that come before it take a word.

    Parameters
    ----------
    directions : unit vectors of all words, (n, dims), float32. direction : of length 1, (dims,).
    count : how many pairs. longest : pairs farther apart than this are none.

    Returns
    -------
    Fewer pairs than `count` where there are no more.
    """
    search = _Search(directions, direction, count, longest)
    search.run()
    # Pairs that displace others make fewer of them as good: then all are looked at.
    if search.least > 0 and len(search.best().scores) < count:
        search = _Search(directions, direction, count, longest, spare=np.inf)
        search.run()
    return search.best()


@dataclass
class _Search:
    """The pairs that are known to be good, and how good a pair must be to matter.

    Attributes
    ----------
    least : pairs below this score do not matter, as enough better ones are known.
    """

    directions: np.ndarray
    direction: np.ndarray
    count: int
    longest: float
    spare: float = SPARE
    least: float = 0.0
    pairs: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = field(default_factory=list)

    def run(self) -> None:
        """Look at every pair of blocks."""
        along = self.directions.astype(np.float64) @ self.direction
        self.order = np.argsort(-along, kind="stable")
        self.sorted, self.along = self.directions[self.order], along[self.order]
        starts = range(0, len(self.order), BLOCK)
        blocks = [slice(start, start + BLOCK) for start in starts]
        couples = [
            (self.along[left][0] - self.along[right][-1], left, right)
            for place, left in enumerate(blocks)
            for right in blocks[place:]
        ]
        found = 0
        for apart, left, right in sorted(couples, key=lambda couple: -couple[0]):
            found += self._look_at(apart, left, right)
            if found > max(self.count, 1000):
                self._raise_least()
                found = 0

    def _look_at(self, apart: float, left: slice, right: slice) -> int:
        """Keep the pairs of two blocks that matter; how many there are."""
        nearest = self.longest if self.least <= 0 else min(self.longest, apart / self.least)
        products = self.sorted[left] @ self.sorted[right].T
        near = np.flatnonzero(products.ravel() > 1 - nearest**2 / 2 - ROUNDING)
        rows, columns = np.divmod(near, products.shape[1])
        rows, columns = rows + left.start, columns + right.start
        ahead = self.along[rows] - self.along[columns]
        squares = np.maximum(2 * (1 - products.ravel()[near].astype(np.float64)), 0) - 2 * ROUNDING
        kept = (ahead > 0) & (ahead**2 >= self.least**2 * squares)
        rows, columns, ahead = rows[kept], columns[kept], ahead[kept]
        if not len(rows):
            return 0
        differences = self.sorted[rows].astype(np.float64) - self.sorted[columns]
        lengths = np.sqrt(np.einsum("ij,ij->i", differences, differences))
        scores = ahead / np.where(lengths > 0, lengths, np.inf)
        kept = (lengths > 0) & (lengths < self.longest) & (scores >= self.least)
        if kept.any():
            self.pairs.append((scores[kept], rows[kept], columns[kept]))
        return int(kept.sum())

    def _raise_least(self) -> None:
        """Let the last of enough pairs say how good one must be, and forget those that are not."""
        if not np.isfinite(self.spare):
            return
        scores = self._taken(round(self.spare * self.count))[0]
        if len(scores) < self.spare * self.count:
            return
        self.least = float(scores[-1])
        every = [np.concatenate(column) for column in zip(*self.pairs, strict=True)]
        kept = every[0] >= self.least
        self.pairs = [tuple(column[kept] for column in every)]

    def _taken(self, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The best pairs known, no word twice on a side: scores, rows, columns."""
        if not self.pairs:
            return np.empty(0), np.empty(0, dtype=int), np.empty(0, dtype=int)
        scores, rows, columns = (np.concatenate(part) for part in zip(*self.pairs, strict=True))
        order = np.lexsort((columns, rows, -scores))
        left: set[int] = set()
        right: set[int] = set()
        taken = []
        for place, row, column in zip(
            order.tolist(), rows[order].tolist(), columns[order].tolist(), strict=True
        ):
            if row in left or column in right:
                continue
            left.add(row)
            right.add(column)
            taken.append(place)
            if len(taken) == count:
                break
        return scores[taken], rows[taken], columns[taken]

    def best(self) -> AnalogyPairs:
        """The pairs that were sought."""
        scores, rows, columns = self._taken(self.count)
        return AnalogyPairs(np.stack([self.order[rows], self.order[columns]], axis=1), scores)


class Analogies(DirectionMetric):
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
    signed = False
    nonnegative = True
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
        vocabulary: VocabularyVectors,
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
