"""Double hard debias: remove a component of the whole vocabulary before the direction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairflow.errors import FairflowError
from fairflow.transforms import _words
from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.directions import bias_subspace
from fairflow.vectors.vocabulary import cluster_accuracy
from fairflow.vectors.word_rows import WordRows, word_rows


@dataclass(frozen=True)
class BaseSummary:
    """A summary of all vectors of a base.

    Attributes
    ----------
    mean : (dims,). covariance : (dims, dims).
    sides : the words farthest along a direction, and the words farthest against it.
    """

    mean: np.ndarray
    covariance: np.ndarray
    sides: tuple[list[str], list[str]]

    def components(self, count: int) -> np.ndarray:
        """Principal components in order of variance, the largest first: (count, dims).

        Raises
        ------
        FairflowError : the vectors have fewer dimensions.
        """
        if count > len(self.mean):
            raise FairflowError(
                f"components: vectors of {len(self.mean)} numbers have no {count} components; ask "
                "for fewer"
            )
        _, axes = np.linalg.eigh(self.covariance)
        components = axes.T[::-1][:count]
        # The sign of a component is arbitrary: its largest entry is made positive.
        largest = np.abs(components).argmax(axis=1)
        return components * np.sign(components[np.arange(count), largest])[:, np.newaxis]


def base_summary(
    base: WordRows, direction: np.ndarray, count: int, excluded: Collection[str]
) -> BaseSummary:
    """Summarise a base in one pass.

    Parameters
    ----------
    direction : (dims,); the side of a word is the product of its unit vector with it.
    count : words per side, at most half of all. excluded : words without a side.

    Raises
    ------
    FairflowError : fewer than four words have a side, or a vector is not finite.
    """
    sums, products = np.zeros(base.dims), np.zeros((base.dims, base.dims))
    words: list[str] = []
    leanings = np.empty(0)
    for block_words, _, block in base.rows_in_blocks():
        rows = block.astype(np.float64)
        if not np.isfinite(rows).all():
            raise FairflowError("the model has vectors that are not finite, and so no components")
        sums += rows.sum(axis=0)
        products += rows.T @ rows
        lengths = np.linalg.norm(rows, axis=1)
        lean = rows @ direction / np.where(lengths > 0, lengths, 1)
        new = [
            row for row, word in enumerate(block_words) if lengths[row] > 0 and word not in excluded
        ]
        words += [block_words[row] for row in new]
        words, leanings = _extremes(words, np.concatenate([leanings, lean[new]]), count)
    half = min(count, len(words) // 2)
    if half < 2:
        raise FairflowError(f"only {len(words)} words have a side: too few for two clusters")
    mean = sums / len(base)
    order = np.argsort(-leanings, kind="stable")
    return BaseSummary(
        mean,
        products / len(base) - np.outer(mean, mean),
        ([words[row] for row in order[:half]], [words[row] for row in order[-half:]]),
    )


def _extremes(words: list[str], leanings: np.ndarray, count: int) -> tuple[list[str], np.ndarray]:
    """The `count` words farthest to each side, in their original order."""
    if len(words) <= 2 * count:
        return words, leanings
    order = np.argsort(-leanings, kind="stable")
    kept = np.sort(np.concatenate([order[:count], order[-count:]]))
    return [words[row] for row in kept], leanings[kept]


class DoubleHardDebias(BaseTransform):
    """Remove a component that encodes frequency, then the direction (Wang et al. 2020).

    m = mean and c_1, c_2, ... = principal components of all vectors. For each candidate c:

        x' = x - (x . c) c - m;   b = first principal component of the pairs so transformed
        y = x' - (x' . b) b

    The most biased words, by cos(w, first end) - cos(w, second end), are divided into two clusters
    by k-means of y. The candidate c whose clusters agree least with the two sides is chosen, and
    its y is the new vector of every word, including he and she. The method assumes that one
    component of the vocabulary contains the effect of frequency on the direction. The mean is
    subtracted from all vectors, and lengths are not restored.

    The record holds the accuracies of all candidates, and the accuracy without removing any.
    k-means has a seed and several starts; the authors use one start. WEFE differs: it computes the
    direction from the original pairs, tries 4 components, clusters without a seed, and changes only
    the words that it clustered, so that their cosines with all others compare vectors with and
    without the mean.

    Parameters
    ----------
    definitional : pairs of words. ends : two words, [he, she].
    specific : words that are not clustered; they change like all others.
    words : number of clustered words per side. components : number of candidates.
    seed, starts : of k-means.

    Examples
    --------
    >>> from fairflow import WEAT, load_query, load_test_model
    >>> from fairflow.transforms import DoubleHardDebias
    >>> model, query = load_test_model(), load_query("weat_7")
    >>> pairs = [["woman", "man"], ["she", "he"], ["her", "his"], ["mother", "father"]]
    >>> fitted = DoubleHardDebias(pairs, ["he", "she"], words=100, components=2).fit(model.wv)
    >>> for one in (model, fitted.transform(model)):
    ...     print(round(WEAT().run_query(query, one)["effect_size"], 2))
    0.97
    -0.77

    See also
    --------
    fairflow.transforms.HardDebias : without the component of frequency.
    fairflow.transforms.BaseTransform : how a transform is fitted and applied.
    """

    citation = "wang2020double"
    word_sets = {"definitional": "tuples", "specific": "words"}

    def __init__(
        self,
        definitional: Sequence[Sequence[str]],
        ends: Sequence[str],
        specific: Sequence[str] = (),
        words: int = 1000,
        components: int = 20,
        seed: int = 1,
        starts: int = 10,
    ) -> None:
        self.definitional = _words.sets_of_words("definitional", definitional, size=2)
        self.ends = _words.word_list("ends", ends)
        if len(self.ends) != 2:
            raise ValueError(f"ends must be two words, found {list(ends)}")
        self.specific = _words.word_list("specific", specific)
        self.words = _words.whole_number("words", words, least=2)
        self.components = _words.whole_number("components", components)
        self.seed = _words.whole_number("seed", seed, least=0)
        self.starts = _words.whole_number("starts", starts)

    def fit(self, base: Any) -> Derivation:
        """Find the component, the direction and the mean of a base.

        Raises
        ------
        FairflowError : no pair has a direction; an end is missing; the base has fewer components or
            too few words for two clusters.
        """
        base = word_rows(base)
        pairs = _words.found_sets(base, self.definitional, "definitional", unit=False)
        if missing := _words.split(base, self.ends)[1]:
            raise FairflowError(f"ends: the model lacks {', '.join(missing)}: name words it has")
        ends = _words.listed_vectors(base, self.ends, "ends", unit=True)
        specific, unknown = _words.split(base, self.specific)
        all_ = base_summary(base, ends[0] - ends[1], self.words, frozenset(specific))
        components = all_.components(self.components)
        sides = np.concatenate(
            [_words.listed_vectors(base, words, "words", unit=False) for words in all_.sides]
        )
        none, *accuracies = [
            self._accuracy(component, pairs.vectors, sides) for component in (None, *components)
        ]
        chosen = int(np.argmin(accuracies))
        subspace = bias_subspace(without(components[chosen], pairs.vectors))
        direction = subspace.basis[0]
        return Derivation(
            remove=np.stack([components[chosen], direction]),
            shift=direction * (all_.mean @ direction) - all_.mean,
            facts={
                "component": chosen,
                "accuracies": accuracies,
                "accuracy_without_component": none,
                "words_clustered": len(sides),
            }
            | subspace.facts
            | {"component_removed": components[chosen].tolist()}
            | _words.account(base, missing={"definitional": pairs.missing, "specific": unknown}),
        )

    def _accuracy(
        self, component: np.ndarray | None, pairs: Sequence[np.ndarray], sides: np.ndarray
    ) -> float:
        """Share of words whose cluster is their side; the sides are the first and the second half.

        A component, if one is given, and then the direction are removed first.
        """
        from threadpoolctl import threadpool_limits

        direction = bias_subspace(without(component, pairs)).basis[0]
        vectors = without(direction, without(component, [sides]))[0]
        # One thread: sums have one order, and no thread waits for others on a busy machine.
        with threadpool_limits(1):
            return cluster_accuracy(vectors, len(vectors) // 2, self.starts, self.seed)


def without(direction: np.ndarray | None, sets: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Sets of vectors (words, dims) without their parts along a direction, if one is given."""
    if direction is None:
        return list(sets)
    return [rows - np.outer(rows @ direction, direction) for rows in sets]
