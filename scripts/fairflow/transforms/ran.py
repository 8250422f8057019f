"""RAN: move listed words away from neighbours that share their bias, and from a direction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fairflow.errors import FairflowError
from fairflow.transforms import _words
from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.directions import bias_subspace, indirect_bias
from fairflow.vectors.first_words import directions as unit_vectors
from fairflow.vectors.word_rows import WordRows, word_rows

_TOLERANCE = 1e-12
_NOTHING_LEFT = 1e-9


def moved_word(
    word: np.ndarray,
    near: np.ndarray,
    direction: np.ndarray,
    weights: Sequence[float],
    neighbours: int,
    threshold: float,
) -> tuple[np.ndarray, int, float, float]:
    """Move a word away from the neighbours that share its bias.

    Returns
    -------
    Its vector (dims,), the number of neighbours that repel it, J before and after.

    Parameters
    ----------
    word, direction : (dims,). near : (words, dims), its nearest words and perhaps others. All have
        length 1. weights : of the three terms. neighbours : how many count. threshold : of indirect
        bias.
    """
    near = near[np.argsort(-(near @ word), kind="stable")[:neighbours]]
    repelled = near[indirect_bias(near, word, direction) > threshold]
    vector = least_objective(repelled, direction, word, weights)
    before, after = (objective(x, repelled, direction, word, weights) for x in (word, vector))
    return vector, len(repelled), before, after


def objective(
    vector: np.ndarray,
    repelled: np.ndarray,
    direction: np.ndarray,
    word: np.ndarray,
    weights: Sequence[float],
) -> float:
    """J of RAN for a vector of any length, with neighbours (words, dims) of length 1."""
    vector = vector / np.linalg.norm(vector)
    away = np.abs(repelled @ vector).mean() if len(repelled) else 0.0
    terms = (away, (1 - vector @ word) / 2, abs(vector @ direction))
    return float(np.dot(weights, terms))


def least_objective(
    repelled: np.ndarray, direction: np.ndarray, word: np.ndarray, weights: Sequence[float]
) -> np.ndarray:
    """The vector (dims,) of length 1 with the smallest J; the word itself if the rest is zero."""
    from scipy.optimize import lsq_linear

    columns = np.column_stack([*repelled, direction])
    bounds = np.append(np.full(len(repelled), weights[0] / max(1, len(repelled))), weights[2])
    wanted = weights[1] / 2 * word
    solved = lsq_linear(columns, wanted, (-bounds, bounds), method="bvls", tol=_TOLERANCE)
    left = wanted - columns @ solved.x
    length = np.linalg.norm(left)
    return left / length if length > _NOTHING_LEFT else word


# Neighbours whose cosines differ by less may change their order in single precision.
_SPARE = 10
# Largest number of similarities in memory at once.
_CELLS = 1_000_000


def nearest_words(
    base: WordRows, words: Sequence[str], directions: np.ndarray, count: int
) -> list[list[str]]:
    """The other words with the largest cosines with each word: up to `count` and a few more.

    Some words of the base are multiplied with all words at once. A word whose vector is zero or not
    finite is as far as one at a right angle.

    Parameters
    ----------
    directions : (words, dims), unit vectors of `words`.

    Returns
    -------
    The neighbours of each word, in the order of the base.
    """
    own = {word: row for row, word in enumerate(words)}
    targets = directions.astype(np.float32)
    step, kept = max(1, _CELLS // max(1, len(words))), count + _SPARE
    seen: list[str] = []
    best, at = (np.empty((len(words), 0), dtype=kind) for kind in (np.float32, np.int64))
    for block_words, _, block in base.rows_in_blocks():
        for start in range(0, len(block_words), step):
            some = block_words[start : start + step]
            rows, usable = unit_vectors(block[start : start + step])
            rows[~usable] = 0
            cosines = targets @ rows.T
            for column, word in enumerate(some):
                # A word is not its own neighbour.
                cosines[own.get(word, []), column] = -np.inf
            places = np.broadcast_to(len(seen) + np.arange(len(some)), cosines.shape)
            best, at = np.hstack([best, cosines]), np.hstack([at, places])
            seen += some
            if best.shape[1] > kept:
                order = np.argpartition(-best, kept - 1, axis=1)[:, :kept]
                best, at = (np.take_along_axis(each, order, axis=1) for each in (best, at))
    chosen = (np.sort(places[row > -np.inf]) for row, places in zip(best, at, strict=True))
    return [[seen[place] for place in places.tolist()] for places in chosen]


RECIPES = {
    "kumar2020": (1 / 8, 6 / 8, 1 / 8),
    "authors": (1 / 8, 6 / 8, 6 / 8),
    "wefe-1.0": (0.33, 0.33, 0.33),
}


@dataclass(frozen=True, eq=False)
class MovedWords(Derivation):
    """A derivation that changes only listed words, and lengths."""

    def restricted(
        self, target: Collection[str] | None = None, ignore: Collection[str] = ()
    ) -> Derivation:
        """The same derivation for some of the moved words only.

        Raises
        ------
        FairflowError : `target` names words that were not moved.
        """
        if target is not None and (lost := [word for word in target if word not in self.rows]):
            raise FairflowError(
                f"target: {_words.some_words(lost)} not among the words that RAN was fitted to"
            )
        chosen = set(self.rows) - set(ignore) if target is None else set(target)
        rows = {word: row for word, row in self.rows.items() if word in chosen}
        return replace(self, rows=rows, facts={**self.facts, "words_listed": sorted(rows)})


class RAN(BaseTransform):
    """Repulsion, attraction, neutralisation (Kumar et al. 2020), solved exactly.

    For unit vectors, for each word w of the list; b = first principal component of the definitional
    pairs minus their means:

        J(x) = l1 mean_{n in R} |cos(x, n)| + l2 (1 - cos(x, w)) / 2 + l3 |cos(x, b)|

    is minimised over x of length 1. R is the set of those of the 100 nearest neighbours whose
    indirect bias with w is above a threshold:

        beta(n, w) = (n . w - cos(n', w')) / (n . w),   v' = v - (v . b) b

    Up to a constant J is l1 / |R| sum |r . x| + l3 |b . x| - l2 / 2 w . x. Its minimum over the
    ball is minus the distance of (l2 / 2) w from all sum u_i r_i + v b with |u_i| <= l1 / |R| and
    |v| <= l3, and x is the direction of the remainder: a bounded least-squares problem with 101
    unknowns and one solution. If the remainder is zero, no x has a smaller J than a vector
    orthogonal to everything, and the word does not change.

    The authors and WEFE instead run Adam for 300 steps from w, with |x . b| in the third term,
    which shrinks with x. J is not differentiable at the start, so that rounding determines the
    first steps, and WEFE also computes J of one tensor and moves another. Their result is never
    better. All other words are only scaled to length 1.

    Recipes: `kumar2020`, the weights of the paper, 1/8, 6/8 and 1/8; `authors`, whose code uses the
    second weight also for the third term; `wefe-1.0`, .33 each.

    Parameters
    ----------
    definitional : pairs of words. words : a list of words to move, or a list of lists; without it
        all words except `specific`, at some milliseconds per word. specific : words that are not
        moved.
    recipe : one of the three. weights : l1, l2, l3 instead of a recipe, each above 0.
    neighbours : how many are used. threshold : of the indirect bias.

    Examples
    --------
    >>> from fairflow import WEAT, load_query, load_test_model
    >>> from fairflow.transforms import RAN
    >>> model, query = load_test_model(), load_query("weat_7")
    >>> pairs = [["woman", "man"], ["she", "he"], ["her", "his"], ["mother", "father"]]
    >>> fitted = RAN(pairs, ["math", "algebra", "poetry", "art"]).fit(model.wv)
    >>> for one in (model, fitted.transform(model)):
    ...     print(round(WEAT().run_query(query, one)["effect_size"], 2))
    0.97
    1.02

    See also
    --------
    fairflow.transforms.HardDebias : the closed form without neighbours.
    fairflow.transforms.BaseTransform : how a transform is fitted and applied.
    """

    citation = "kumar2020nurse"
    word_sets = {"definitional": "tuples", "words": "lists", "specific": "words"}

    def __init__(
        self,
        definitional: Sequence[Sequence[str]],
        words: Sequence[str] | Sequence[Sequence[str]] | None = None,
        specific: Sequence[str] = (),
        recipe: str = "kumar2020",
        weights: Sequence[float] | None = None,
        neighbours: int = 100,
        threshold: float = 0.05,
    ) -> None:
        self.definitional = _words.sets_of_words("definitional", definitional, size=2)
        self.words = None if words is None else _words.joined_lists("words", words)
        self.specific = frozenset(_words.word_list("specific", specific))
        if words is None and not specific:
            raise ValueError(
                "RAN needs words, which to move, or specific, which to leave: name one of them"
            )
        self.weights: tuple[float, ...] = RECIPES[_words.one_of("recipe", recipe, tuple(RECIPES))]
        if weights is not None:
            if np.ndim(weights) != 1 or len(weights) != 3:
                raise ValueError(f"weights must be three numbers above 0, found {weights!r}")
            self.weights = tuple(_words.number_above("weights", weight) for weight in weights)
        self.neighbours = _words.whole_number("neighbours", neighbours)
        self.threshold = _words.number_above("threshold", threshold, -np.inf)

    def fit(self, base: Any) -> Derivation:
        """Compute the new vectors of the words of a base.

        Raises
        ------
        FairflowError : no definitional pair has a direction; all words are missing from the base; a
            word has no direction.
        """
        base = word_rows(base)
        pairs = _words.found_sets(base, self.definitional, "definitional", unit=True)
        subspace = bias_subspace(pairs.vectors)
        words: Sequence[str] | None = self.words
        if words is None:
            words = [word for some, _, _ in base.rows_in_blocks() for word in some]
        wanted = (word for word in words if word not in self.specific)
        found, missing = _words.partition_known(base, wanted, "words that are not specific")
        own = _words.listed_vectors(base, found, "words", unit=True)
        nearest = nearest_words(base, found, own, self.neighbours)
        others = (_words.listed_vectors(base, near, "neighbours", unit=True) for near in nearest)
        how = (subspace.basis[0], self.weights, self.neighbours, self.threshold)
        moved = [moved_word(one, near, *how) for one, near in zip(own, others, strict=True)]
        vectors, *told = zip(*moved, strict=True)
        repelled, before, after = (float(np.mean(each)) for each in told)
        return MovedWords(
            unit_first=True,
            rows=dict(zip(found, vectors, strict=True)),
            facts=subspace.facts
            | {
                "weights": list(self.weights),
                "neighbours_repelled": repelled,
                "objective_before": before,
                "objective_after": after,
            }
            | _words.account(
                base,
                only=(),
                rows=found,
                missing={"definitional": pairs.missing, "words": missing},
            ),
        )
