"""Hidden bias, after Gonen and Goldberg (2019): are words near words with the same bias?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from fairflow.errors import DegenerateError
from fairflow.metrics.base_metric import BaseMetric, Sets
from fairflow.statistics.item_bootstrap import observed
from fairflow.statistics.outcome import Outcome, Reading, WordValue
from fairflow.vectors.query_vectors import VocabularyVectors
from fairflow.vectors.vocabulary import hidden_bias_tests

# With fewer words a correlation is meaningless.
FEWEST = 10
# Names of further sets in the table of words: the clustered words, and the runs of k-means.
CLUSTERS, RUNS = "clusters", "runs"


class HiddenBias(BaseMetric):
    """Are words still grouped by the bias that they had before debiasing?

    The bias of a word w is cos(w, x) - cos(w, y), where x and y are the first declared pair, in the
    model before any debiasing. For a model that is not derived this is the model itself. Measured
    on the query's vocabulary (Gonen and Goldberg 2019):

    - `cluster_accuracy`: the most biased words are divided into two clusters by k-means; share of
      words whose cluster is their side. From 0.5 (no trace of bias) to 1; mean over runs with
      different seeds.
    - `classifier_accuracy`: share of words, not used in training, whose side a support vector
      machine predicts correctly. 0.5 is chance; mean over random draws of the training words.
    - `neighbour_correlation`: Pearson correlation between the bias of a word and the number of its
      nearest neighbours with a bias to the first side. From -1 to 1; 0 is no trace of bias.
      `target_correlation` is the same for the target words alone (occupations in the paper).

    For each target word: `leaning` (its bias) and `neighbours`. For each clustered word, in the set
    "clusters": its `side` (1 or -1), and `x` and `y`, its position on the first two principal
    components of the clustered words. Nothing is resampled, because the vocabulary is complete. The
    values of single runs are reported as well, those of k-means in the set "runs".

    Examples
    --------
    >>> from fairflow import load_query, load_test_model
    >>> from fairflow.metrics import HiddenBias
    >>> few = {"n_clustered": 50, "n_classified": 50, "n_train": 20, "n_runs": 1, "n_init": 1}
    >>> query = load_query("she_he_analogies")
    >>> result = HiddenBias().run_query(query, load_test_model(), **few)
    >>> round(result["neighbour_correlation"], 2)
    0.76

    See also
    --------
    fairflow.transforms.HardDebias : a transform after which such groups were found.
    fairflow.BaseMetric : `run_query` says what all metrics take and return.
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
    # With few dimensions, neighbours share the direction of the bias by chance.
    depends_on_dimension = measure_names
    readings = {
        "neighbour_correlation": Reading(0, says="neighbours unrelated to the bias"),
        "target_correlation": Reading(0, says="neighbours of the targets unrelated to the bias"),
        "cluster_accuracy": Reading(0.5, says="clusters unrelated to the sides"),
        "classifier_accuracy": Reading(0.5, says="sides not predictable"),
    }
    needs = ("pairs", "vocabulary")

    @classmethod
    def for_one(cls, measure: str) -> dict[str, Any]:
        """Correlations need no run of k-means or of the classifier."""
        return {"n_runs": 0} if measure.endswith("correlation") else {}

    def compute(
        self,
        targets: Sets,
        attributes: Sets,
        pairs: object,
        vocabulary: VocabularyVectors,
        n_clustered: int = 1_000,
        n_classified: int = 5_000,
        n_train: int = 1_000,
        n_neighbours: int = 100,
        n_runs: int = 5,
        n_init: int = 10,
    ) -> Outcome:
        """The four measures.

        Parameters
        ----------
        pairs : the first pair defines the bias of a word.
        vocabulary : the words, with their bias.
        n_clustered, n_classified : number of words, both sides together. n_train : number of
            classified words that are used for training. n_neighbours : for each word.
        n_runs : runs of k-means and of the classifier, whose measures are NaN without any.
        n_init : starts of each k-means.

        Raises
        ------
        DegenerateError : the bias of the words is unknown, or there are too few words.
        """
        if vocabulary.leaning is None:
            raise DegenerateError(vocabulary.note)
        n = len(vocabulary.words)
        if n <= max(n_neighbours, 2 * FEWEST):
            raise DegenerateError(f"{n} words are too few for {n_neighbours} neighbours each")
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
            "cluster_accuracy": float(np.mean(clusters or math.nan)),
            "classifier_accuracy": float(np.mean(told or math.nan)),
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
    """Positions of some words on their first two principal components, and their sides.

    The sign of the first component is chosen so that it grows with the bias; that of the second so
    that most words are below its middle.
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
    """Pearson correlation between bias and number of neighbours: (n,), (n,)."""
    return observed("pearson", leaning.astype(np.float64), counts.astype(np.float64))
