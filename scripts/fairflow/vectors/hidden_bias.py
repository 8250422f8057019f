"""Gonen & Goldberg's tests: does the old bias of words show in where their vectors still lie?

The bias of a word w is cos(w, first end) - cos(w, second end) of the vectors before debiasing.
"""

from __future__ import annotations

import numpy as np

from fairflow.statistics.seeds import identity_generator, identity_seed

# Similarities that are held at once: 32 MB.
_CELLS = 8_000_000


def leanings(directions: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The bias of words between two ends: unit vectors (n, dims), (2, dims) -> (n,), -2 to 2."""
    return directions @ (ends[0] - ends[1])


def most_leaning(leaning: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the `count` words that lean most to the first end, and to the second.

    Of fewer than twice as many words half go to either side; equal ones keep their order.
    """
    order = np.argsort(-leaning, kind="stable")
    half = min(count, len(order) // 2)
    return order[:half], order[::-1][:half]


def cluster_accuracies(
    first: np.ndarray, second: np.ndarray, runs: int, starts: int, seed: int
) -> np.ndarray:
    """How often two clusters are the two sides: (runs,), from .5 to 1.

    Parameters
    ----------
    first, second : unit vectors of the words of either side, (words, dims) each.
    runs : of k-means, each from a seed of its own. starts : of each, of which the best counts.
    """
    from sklearn.cluster import KMeans

    both = np.concatenate([first, second])
    side = np.arange(len(both)) >= len(first)
    accuracies = []
    for run in range(runs):
        means = KMeans(2, n_init=starts, random_state=identity_seed(seed, "clusters", run))
        agreement = float((means.fit_predict(both) == side).mean())
        accuracies.append(max(agreement, 1 - agreement))
    return np.array(accuracies)


def classifier_accuracies(
    first: np.ndarray, second: np.ndarray, trained: int, runs: int, seed: int
) -> np.ndarray:
    """How often a support vector machine tells the side of words it was not trained on: (runs,).

    Its kernel is exp(-|x - y|^2 / dims), C is 1, and it learns from a random draw of half of
    `trained` words of each side; all others are for the test.
    """
    from sklearn.svm import SVC

    both = np.concatenate([first, second])
    side = np.arange(len(both)) >= len(first)
    accuracies = []
    for run in range(runs):
        generator = identity_generator(seed, "classifier", run)
        drawn = [generator.permutation(np.flatnonzero(side == one)) for one in (False, True)]
        train = np.concatenate([rows[: trained // 2] for rows in drawn])
        test = np.concatenate([rows[trained // 2 :] for rows in drawn])
        machine = SVC(kernel="precomputed").fit(_kernel(both[train], both[train]), side[train])
        told = machine.predict(_kernel(both[test], both[train]))
        accuracies.append(float((told == side[test]).mean()))
    return np.array(accuracies)


def _kernel(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """exp(-|x - y|^2 / dims): (n, dims), (m, dims) -> (n, m), float64."""
    squares = [np.einsum("ij,ij->i", rows, rows) for rows in (left, right)]
    distances = squares[0][:, np.newaxis] + squares[1] - 2 * (left @ right.T)
    return np.exp(-np.maximum(distances, 0).astype(np.float64) / left.shape[1])


def neighbours_on_first_side(
    directions: np.ndarray, on_first_side: np.ndarray, rows: np.ndarray, count: int
) -> np.ndarray:
    """How many of the nearest words of each lean to the first end: (rows,), 0 to `count`.

    Products are made in blocks, so that memory does not grow with the square of the words. Of
    neighbours that are equally near at the end of the list the first ones count.

    Parameters
    ----------
    directions : unit vectors of all words, (n, dims). on_first_side : of each, (n,), bool.
    rows : whose neighbours are counted. count : of neighbours, the word itself left out.
    """
    counts = np.empty(len(rows), dtype=np.int64)
    step = max(1, _CELLS // len(directions))
    for start in range(0, len(rows), step):
        part = rows[start : start + step]
        near = directions[part] @ directions.T
        near[np.arange(len(part)), part] = -np.inf
        nearest = np.argpartition(-near, count - 1, axis=1)[:, :count]
        counts[start : start + len(part)] = on_first_side[nearest].sum(axis=1)
    return counts


def nearest_rows(directions: np.ndarray, rows: np.ndarray, count: int) -> np.ndarray:
    """The nearest words of some, themselves left out, the nearest first: (rows, count)."""
    near = directions[rows] @ directions.T
    near[np.arange(len(rows)), rows] = -np.inf
    return np.argsort(-near, axis=1, kind="stable")[:, :count]
