"""What one pass over all vectors of a base tells: their components, and who leans to which side."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from fairflow.errors import FairflowError
from fairflow.vectors.word_rows import WordRows


@dataclass(frozen=True)
class Vocabulary:
    """All vectors of a base, summed up.

    Attributes
    ----------
    mean : (dims,). covariance : (dims, dims).
    sides : the words that lean most along a direction, and those that lean most against it.
    """

    mean: np.ndarray
    covariance: np.ndarray
    sides: tuple[list[str], list[str]]

    def components(self, count: int) -> np.ndarray:
        """Principal components, the one of the largest variance first: (count, dims).

        Raises
        ------
        FairflowError : vectors have fewer numbers.
        """
        if count > len(self.mean):
            raise FairflowError(
                f"components: vectors of {len(self.mean)} numbers have no {count} components; ask "
                "for fewer"
            )
        _, axes = np.linalg.eigh(self.covariance)
        components = axes.T[::-1][:count]
        # Of a component either sign is right: one whose largest part is positive.
        largest = np.abs(components).argmax(axis=1)
        return components * np.sign(components[np.arange(count), largest])[:, np.newaxis]


def vocabulary(
    base: WordRows, direction: np.ndarray, count: int, excluded: Collection[str]
) -> Vocabulary:
    """Sum up a base in one pass.

    Parameters
    ----------
    direction : (dims,); words lean by the product of their unit vectors with it.
    count : words of each side, at most half of all. excluded : words of no side.

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
    return Vocabulary(
        mean,
        products / len(base) - np.outer(mean, mean),
        ([words[row] for row in order[:half]], [words[row] for row in order[-half:]]),
    )


def _extremes(words: list[str], leanings: np.ndarray, count: int) -> tuple[list[str], np.ndarray]:
    """The `count` words that lean most to each side, in the order that they had."""
    if len(words) <= 2 * count:
        return words, leanings
    order = np.argsort(-leanings, kind="stable")
    kept = np.sort(np.concatenate([order[:count], order[-count:]]))
    return [words[row] for row in kept], leanings[kept]
