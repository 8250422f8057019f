"""The vocabulary that a query declares: the first words of a model, with their bias.

Gonen & Goldberg (2019) ask whether words are still grouped by their bias before debiasing.
The bias of a word w is cos(w, first end) - cos(w, second end) of the vectors before debiasing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fairflow.errors import FairflowError
from fairflow.queries.query import Vocabulary
from fairflow.statistics.seeds import identity_generator, identity_seed
from fairflow.vectors.derivation import DerivedStore
from fairflow.vectors.first_words import directions, first_words, is_plain
from fairflow.vectors.query_vectors import QueryVectors, VocabularyVectors
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_rows import WordRows, without_prefix, word_rows

# Largest number of similarities in memory at once: 32 MB.
_CELLS = 8_000_000


@dataclass(frozen=True, eq=False)
class HiddenBiasTests:
    """The three tests of the words of one model.

    Attributes
    ----------
    clustered : rows of the clustered words, those of the first side first.
    cluster_accuracies, classifier_accuracies : of each run, (n_runs,).
    classified : words of both sides that are classified.
    neighbours : for each word, how many of its nearest words lean to the first end, (n,); (0,) if
        there are too few words.
    """

    clustered: np.ndarray
    cluster_accuracies: np.ndarray
    classified: int
    classifier_accuracies: np.ndarray
    neighbours: np.ndarray


def hidden_bias_tests(
    directions: np.ndarray,
    leaning: np.ndarray,
    n_clustered: int = 1_000,
    n_classified: int = 5_000,
    n_train: int = 1_000,
    n_neighbours: int = 100,
    n_runs: int = 5,
    n_init: int = 10,
) -> HiddenBiasTests:
    """Clusters, classifier and neighbours; equal vectors always give equal numbers.

    Parameters
    ----------
    directions : unit vectors of all words, (n, dims). leaning : of each, (n,).
    n_clustered, n_classified : words of both sides together. n_train : of the classified ones,
        those that are learned from; of fewer words the same share. n_neighbours : of each word.
    n_runs : of k-means and of the classifier. n_init : starts of each k-means.
    """
    from threadpoolctl import threadpool_limits

    in_clusters = most_leaning(leaning, n_clustered // 2)
    in_classes = most_leaning(leaning, n_classified // 2)
    clusters, others = (directions[rows] for rows in in_clusters)
    left, right = (directions[rows] for rows in in_classes)
    found = len(left) + len(right)
    learned = min(n_train, max(2, round(found * n_train / n_classified)))
    # Sums depend on how many threads share them.
    with threadpool_limits(1):
        return HiddenBiasTests(
            np.concatenate(in_clusters),
            cluster_accuracies(clusters, others, n_runs, n_init),
            found,
            classifier_accuracies(left, right, learned, n_runs),
            neighbours_on_first_side(directions, leaning > 0, n_neighbours)
            if n_neighbours < len(leaning)
            else np.empty(0),
        )


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
    first: np.ndarray, second: np.ndarray, n_runs: int, n_init: int, seed: int = 0
) -> np.ndarray:
    """Share of words whose cluster is their side: (n_runs,), from .5 to 1.

    Parameters
    ----------
    first, second : unit vectors of the words of either side, (words, dims) each.
    n_runs : of k-means, each from its own seed. n_init : starts of each; the best counts.
    """
    both = np.concatenate([first, second])
    seeds = (identity_seed(seed, "clusters", run) for run in range(n_runs))
    return np.array([cluster_accuracy(both, len(first), n_init, one) for one in seeds])


def cluster_accuracy(both: np.ndarray, n_first: int, n_init: int, seed: int) -> float:
    """Share of rows whose cluster is their side, .5 to 1; the first side has the first rows."""
    from sklearn.cluster import KMeans

    clusters = KMeans(2, n_init=n_init, random_state=seed).fit_predict(both)
    agreement = float((clusters == (np.arange(len(both)) >= n_first)).mean())
    return max(agreement, 1 - agreement)


def classifier_accuracies(
    first: np.ndarray, second: np.ndarray, n_train: int, n_runs: int, seed: int = 0
) -> np.ndarray:
    """Accuracy of a support vector machine on words it was not trained on: (n_runs,).

    Its kernel is exp(-|x - y|^2 / dims), C is 1, and it learns from a random draw of half of
    `n_train` words of each side; all others are for the test.
    """
    from sklearn.svm import SVC

    both = np.concatenate([first, second])
    side = np.arange(len(both)) >= len(first)
    accuracies = []
    for run in range(n_runs):
        generator = identity_generator(seed, "classifier", run)
        drawn = [generator.permutation(np.flatnonzero(side == one)) for one in (False, True)]
        train = np.concatenate([rows[: n_train // 2] for rows in drawn])
        test = np.concatenate([rows[n_train // 2 :] for rows in drawn])
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
    directions: np.ndarray, on_first_side: np.ndarray, count: int
) -> np.ndarray:
    """For each word, how many of its nearest words lean to the first end: (n,), 0 to `count`.

    Products are computed in blocks, so that memory does not grow with the square of the words. Of
    neighbours that are equally near at the end of the list some count.

    Parameters
    ----------
    directions : unit vectors of all words, (n, dims). on_first_side : of each, (n,), bool.
    count : of neighbours, the word itself left out.
    """
    counts = np.empty(len(directions), dtype=np.int64)
    step = max(1, _CELLS // len(directions))
    for start in range(0, len(directions), step):
        near = directions[start : start + step] @ directions.T
        own = np.arange(len(near))
        near[own, start + own] = -np.inf
        nearest = np.argpartition(-near, count - 1, axis=1)[:, :count]
        counts[start : start + step] = on_first_side[nearest].sum(axis=1)
    return counts


def with_vocabulary(looked_up: QueryVectors, model: WordEmbeddingModel) -> QueryVectors:
    """The vectors of a query, with those of its declared vocabulary, if it has one.

    The bias of words in a derived model is that in the original model.

    Raises
    ------
    FairflowError : only the vectors of some words are available, not a whole model.
    """
    vocabulary = looked_up.declared.vocabulary
    if vocabulary is None:
        return looked_up
    origin = store = model.wv
    while isinstance(origin, DerivedStore):
        origin = origin.base
    prefix, pairs = model.vocab_prefix, looked_up.pairs
    try:
        whole = before = word_rows(model)
        if origin is not store:
            before = word_rows(origin, prefix)
    except TypeError as error:
        raise FairflowError(
            "a query that declares a vocabulary needs a whole model: name both in a study"
        ) from error
    ends = without_prefix([form for form in pairs.form_of[:2] if form] if pairs else [], prefix)
    return replace(looked_up, vocabulary=read_vocabulary(whole, before, vocabulary, ends))


def read_vocabulary(
    model: WordRows,
    before: WordRows,
    vocabulary: Vocabulary,
    ends: Sequence[str] = (),
) -> VocabularyVectors:
    """The words of a vocabulary in a model, with their directions.

    Parameters
    ----------
    before : the original model, which defines the first words and their bias; the
        model itself if it is not derived.
    ends : two words that define the bias; empty if it is not needed.

    Raises
    ------
    FairflowError : no word of the vocabulary is in both.
    """
    size = len(before) if vocabulary.first is None else vocabulary.first
    first = first_words(before, size)
    words = filter(is_plain, first.words) if vocabulary.limited else first.words
    left_out = frozenset(vocabulary.without)
    chosen = [word for word in words if word not in left_out]
    here = first if model is before else first.among(model)
    rows = here.rows_of(chosen)
    words = tuple(here.words[row] for row in rows)
    # All rows may be a gigabyte: they are not copied.
    found = here.directions if len(rows) == len(here.words) else here.directions[rows]
    if not words:
        raise FairflowError(
            "no word of the vocabulary is in both models: compare vectors of words spelt alike"
        )
    leaning, note = None, "no pair is declared"
    if lost := [word for word in ends if word not in before]:
        note = f"the model before lacks {' and '.join(lost)}, between which words lean"
    elif len(ends) == 2:
        sides, usable = directions(before.vectors(list(ends)))
        note = "" if usable.all() else "a word of the pair has no direction"
        leaning = None if note else leanings(first.directions[first.rows_of(words)], sides)
    return VocabularyVectors(words, found, leaning, len(chosen), note)
