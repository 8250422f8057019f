"""Analogies along a direction, after Bolukbasi et al. (2016).

For unit vectors x and y and a unit direction g, the score of (x, y) is g . (x - y) / |x - y|, the
cosine between the difference and the direction. Pairs at a distance of `longest` or more do not
count. n words have n^2 pairs, and a few hundred are needed. Words are sorted by g . w, and products
are computed block by block, starting with the pairs of blocks that are farthest apart along g. A
score of s needs |x - y| <= g . (x - y) / s: as soon as enough pairs are known, only near neighbours
can still be among the best.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from fairflow.errors import DegenerateError
from fairflow.metrics._direction import DirectionMetric, direction_of
from fairflow.metrics.base_metric import Sets
from fairflow.statistics.outcome import Outcome, Reading, WordValue
from fairflow.vectors.query_vectors import PairVectors, VocabularyVectors

# Words per block: the products of two blocks take 16 MB.
BLOCK = 2048
# Pairs searched per pair needed: a better pair may displace two others.
SPARE = 1.5
# Largest error of products in single precision.
ROUNDING = 1e-5


@dataclass(frozen=True, eq=False)
class AnalogyPairs:
    """Pairs of words in the order of their scores.

    Attributes
    ----------
    rows : of the word on the positive side and the word on the negative side, (pairs, 2).
    scores : (pairs,), between 0 and 1, descending.
    """

    rows: np.ndarray
    scores: np.ndarray


def analogy_pairs(
    directions: np.ndarray, direction: np.ndarray, count: int, longest: float = 1.0
) -> AnalogyPairs:
    """The best pairs; each word is used once per side, by the best pair that contains it.

    Parameters
    ----------
    directions : unit vectors of all words, (n, dims), float32. direction : of length 1, (dims,).
    count : how many pairs. longest : pairs farther apart than this do not count.

    Returns
    -------
    Fewer pairs than `count` if there are no more.
    """
    search = _Search(directions, direction, count, longest)
    search.run()
    # If pairs displace others, too few good ones may be left: then all pairs are searched.
    if search.least > 0 and len(search.best().scores) < count:
        search = _Search(directions, direction, count, longest, spare=np.inf)
        search.run()
    return search.best()


@dataclass
class _Search:
    """The best pairs known so far, and the score that a further pair needs.

    Attributes
    ----------
    least : pairs below this score are dropped, because enough better ones are known.
    """

    directions: np.ndarray
    direction: np.ndarray
    count: int
    longest: float
    spare: float = SPARE
    least: float = 0.0
    pairs: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = field(default_factory=list)

    def run(self) -> None:
        """Search every pair of blocks."""
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
            found += self._search(apart, left, right)
            if found > max(self.count, 1000):
                self._raise_least()
                found = 0

    def _search(self, apart: float, left: slice, right: slice) -> int:
        """Keep the good pairs of two blocks, and return their number."""
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
        """Set `least` to the score of the last pair needed, and drop the pairs below it."""
        if not np.isfinite(self.spare):
            return
        scores = self._taken(round(self.spare * self.count))[0]
        if len(scores) < self.spare * self.count:
            return
        self.least = float(scores[-1])
        scores, rows, columns = (np.concatenate(part) for part in zip(*self.pairs, strict=True))
        kept = scores >= self.least
        self.pairs = [(scores[kept], rows[kept], columns[kept])]

    def _taken(self, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The best pairs known, no word twice per side: scores, rows, columns."""
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
        """The best pairs found."""
        scores, rows, columns = self._taken(self.count)
        return AnalogyPairs(np.stack([self.order[rows], self.order[columns]], axis=1), scores)


class Analogies(DirectionMetric):
    """Which pairs of words differ as the declared pairs do?

    g = direction of the declared pairs (with one pair, its difference at length 1).
    score(x, y) = g . (x - y) / |x - y| for unit vectors with |x - y| < 1.
    The pairs with the highest scores are taken, each word once per side.

    Between 0 and 1; 1 means that a pair differs in this direction alone. `mean_score` is the mean
    over the pairs taken, `last_score` the lowest score and `pairs` their number. A random direction
    has analogies too, with lower scores; there is no null model here. Nothing is resampled, because
    the vocabulary is complete. Source: Bolukbasi et al. (2016).

    For each pair, named "x|y": `place`, from 1, and `score`.

    Examples
    --------
    >>> from fairflow import load_query, load_test_model
    >>> from fairflow.metrics import Analogies
    >>> result = Analogies().run_query(load_query("she_he_analogies"), load_test_model(), count=5)
    >>> round(result["mean_score"], 2)
    0.9

    See also
    --------
    fairflow.metrics.DirectBias : of words, not of pairs.
    fairflow.BaseMetric : `run_query` says what all metrics take and return.
    """

    metric_template = ("n", 0)
    metric_name = "Analogies along a Direction"
    metric_short_name = "Analogies"
    signed = False
    nonnegative = True
    measure_names = ("mean_score", "last_score", "pairs")
    unranked = ("last_score", "pairs")
    readings = {
        "mean_score": Reading(says="up to 1: pairs differ in the direction alone"),
        "last_score": Reading(says="of the last pair taken"),
        "pairs": Reading(says="how many were found"),
    }
    needs = ("pairs", "vocabulary")

    def compute(
        self,
        targets: Sets,
        attributes: Sets,
        pairs: PairVectors,
        vocabulary: VocabularyVectors,
        count: int = 500,
        longest: float = 1.0,
    ) -> Outcome:
        """The pairs of the vocabulary whose differences are nearest to the direction.

        Parameters
        ----------
        pairs : the declared pairs with both words in the model. vocabulary : the words to search.
        count : how many pairs to take. longest : the largest distance between the words of a
            pair; 1 is the distance of unit vectors at 60 degrees.

        Raises
        ------
        DegenerateError : the words of the pairs do not differ, or there is no analogy.
        """
        found = analogy_pairs(vocabulary.directions, direction_of(pairs).basis[0], count, longest)
        if not len(found.scores):
            raise DegenerateError(f"no two words are nearer than {longest:g}")
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
