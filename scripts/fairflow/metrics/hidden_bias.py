"""Hidden bias, after Gonen and Goldberg (2019): do words lie with those that leaned alike?"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fairflow.errors import DegenerateError
from fairflow.metrics.base_metric import BaseMetric
from fairflow.statistics.item_bootstrap import observed
from fairflow.statistics.outcome import Outcome, WordValue
from fairflow.vectors.query_vectors import VocabularyVectors, WordVectors
from fairflow.vectors.vocabulary import hidden_bias_tests

# On fewer words a correlation tells nothing.
FEWEST = 10
# Sets of words that are no targets: those that are clustered, and the runs of k-means.
CLUSTERS, RUNS = "clusters", "runs"


class HiddenBias(BaseMetric):
    """Does the bias that words had still show in which words lie together?

    The bias of a word is cos(w, x) - cos(w, y), x and y the first declared pair, in the model that
    was there before any debiasing; a model that comes from no other is that model itself. Of the
    vocabulary of the query:

    - `cluster_accuracy`: how often two clusters of k-means are the two sides, of the words that
      lean most; from .5 (no trace) to 1. The mean over runs of seeds of their own.
    - `classifier_accuracy`: how often a support vector machine tells the side of words that it was
      not trained on; .5 is chance. The mean over draws of its words.
    - `neighbour_correlation`: Pearson correlation of the bias with how many of the nearest
      neighbours lean to the first side; from -1 to 1, 0 without trace. And of the target words
      alone (occupations in the paper) `target_correlation`.

    Of each target word: `leaning` and `neighbours`. Of each word that is clustered, in the set
    "clusters": its `side` (1 or -1) and `x` and `y` on the two principal components of them all.
    Nothing is resampled: the vocabulary is all there is; the runs of the random parts stand beside
    their means, those of k-means in the set "runs".
    """

    metric_template = ("n", 0)
    metric_name = "Hidden Bias"
    metric_short_name = "HiddenBias"
    citation = "gonen2019lipstick"
    signed = False
    of_directions = True
    measure_names = (
        "neighbour_correlation",
        "target_correlation",
        "cluster_accuracy",
        "classifier_accuracy",
    )
    # The bias itself is one of a few dimensions, which neighbours share by chance.
    hangs_on_dimension = measure_names
    readings = {
        "neighbour_correlation": "0: neighbours tell nothing of the bias",
        "target_correlation": "0: neighbours of the targets tell nothing of the bias",
        "cluster_accuracy": "0.5: clusters tell nothing of the sides",
        "classifier_accuracy": "0.5: the sides cannot be told",
    }
    needs = ("pairs", "vocabulary")

    def compute(
        self,
        targets: Sequence[WordVectors],
        attributes: Sequence[WordVectors],
        pairs: object,
        vocabulary: VocabularyVectors,
        n_clustered: int = 1_000,
        n_classified: int = 5_000,
        n_train: int = 1_000,
        n_neighbours: int = 100,
        n_runs: int = 5,
        n_init: int = 10,
    ) -> Outcome:
        """All four.

        Parameters
        ----------
        pairs : of which the first says between which words the others lean.
        vocabulary : the words that are looked at, with their leaning.
        n_clustered, n_classified : words of both sides together. n_train : of the classified ones,
            those that are learned from. n_neighbours : of each word.
        n_runs : of k-means and of the classifier. n_init : starts of each k-means.

        Raises
        ------
        DegenerateError : no leaning is known, or there are too few words.
        """
        if vocabulary.leaning is None:
            raise DegenerateError(vocabulary.note)
        n = len(vocabulary.words)
        if n <= max(n_neighbours, 2 * FEWEST):
            raise DegenerateError(f"only {n} words, which have no {n_neighbours} neighbours each")
        leaning, vectors = vocabulary.leaning, vocabulary.directions

        found = hidden_bias_tests(
            vectors, leaning, n_clustered, n_classified, n_train, n_neighbours, n_runs, n_init
        )
        counts = found.neighbours
        clusters, told = found.cluster_accuracies.tolist(), found.classifier_accuracies.tolist()
        drawn = [
            *_plane(found.clustered, leaning, vectors, vocabulary.words),
            *(WordValue(RUNS, "", "cluster_accuracy", value) for value in clusters),
        ]
        at = {word: row for row, word in enumerate(vocabulary.words)}
        named = [(s.name, word) for s in targets for word in s.words if word in at]
        rows = np.array([at[word] for _, word in dict.fromkeys(named)], dtype=int)
        few = len(rows) < FEWEST
        measures = {
            "neighbour_correlation": _correlation(leaning, counts),
            "target_correlation": math.nan if few else _correlation(leaning[rows], counts[rows]),
            "cluster_accuracy": float(np.mean(clusters)),
            "classifier_accuracy": float(np.mean(told)),
        }
        why = {"target_correlation": f"only {len(rows)} target words are in the vocabulary"}
        return Outcome(
            result=measures["neighbour_correlation"],
            measures=measures,
            details={"n_words": n, "n_words_before": vocabulary.total, "n_targets": len(rows)},
            words=[
                WordValue(*name, measure, float(values[row]))
                for measure, values in (("leaning", leaning), ("neighbours", counts))
                for name, row in zip(dict.fromkeys(named), rows, strict=True)
            ]
            + drawn,
            reasons=why if few else {},
            splits={"cluster_accuracy": clusters, "classifier_accuracy": told},
        )


def _plane(
    rows: np.ndarray, leaning: np.ndarray, vectors: np.ndarray, words: Sequence[str]
) -> list[WordValue]:
    """Where the words of some rows lie in the plane in which they differ most, and their sides.

    The first component grows with the leaning, the second where most words are below its middle.
    """
    centred = vectors[rows].astype(np.float64)
    centred -= centred.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    plane = centred @ axes[:, :-3:-1]
    sides = np.sign(leaning[rows])
    signs = np.array([sides @ plane[:, 0], (plane[:, 1] ** 3).sum()])
    plane *= np.where(signs < 0, -1, 1)
    columns = {"side": sides, "x": plane[:, 0], "y": plane[:, 1]}
    return [
        WordValue(CLUSTERS, words[row], measure, float(value))
        for measure, values in columns.items()
        for row, value in zip(rows.tolist(), values, strict=True)
    ]


def _correlation(leaning: np.ndarray, counts: np.ndarray) -> float:
    """Pearson correlation of bias and neighbours: (n,), (n,)."""
    return observed("pearson", leaning.astype(np.float64), counts.astype(np.float64))
