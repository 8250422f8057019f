"""RNSB: relative negative sentiment bias of Sweeney and Najafian (2019)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Literal

import numpy as np

from fairflow.metrics.base_metric import BaseMetric, Sets
from fairflow.statistics.classification import (
    HELD_OUT,
    every_split,
    fit_subsets,
    random_splits,
)
from fairflow.statistics.outcome import Outcome, Reading, WordValue
from fairflow.statistics.resampling_statistic import (
    Measures,
    ResamplingStatistic,
    Stratum,
    Weights,
    weighted_means,
)
from fairflow.vectors.query_vectors import stratum_of

# This many splits are kept with the results: they show how much a score varies between splits.
KEPT_SPLITS = 100
# By default as many splits as those of rnsb_100 in config/metrics.yaml, of a fixed seed: one split
# of a few words may have several times the divergence of the next.
N_SPLITS, SEED = 100, 0


class RNSB(BaseMetric):
    """Does a sentiment classifier find some target words more negative than others?

    A logistic regression separates the first attribute set (positive) from the second (negative).
    p(w) = its probability of the negative class for target word w.
    P(w) = p(w) / sum of p over all n target words.
    rnsb = sum of P ln(n P), the Kullback-Leibler divergence of P from the uniform distribution.

    Between 0 and ln n; 0 is fair. Over several random splits `rnsb` is the mean of the divergences
    (WEFE's score), `rnsb_of_mean` the divergence of the mean probabilities and `rnsb_sd` the
    standard deviation over splits. `rnsb_between_sets` is the divergence from uniform of the target
    sets' mean probabilities; 0 is fair, and the permutation test tests it. Source: Sweeney and
    Najafian (2019).

    Examples
    --------
    >>> from fairflow import RNSB, Query, WordEmbeddingModel
    >>> model = WordEmbeddingModel({
    ...     "he": [1.0, 0.2], "she": [-1.0, 0.2], "joy": [0.4, 0.8], "love": [0.2, 0.9],
    ...     "hate": [-0.3, -0.8], "pain": [-0.2, -0.9],
    ... })
    >>> query = Query(
    ...     [["he"], ["she"]],
    ...     [["joy", "love"], ["hate", "pain"]],
    ...     ["Men", "Women"],
    ...     ["Positive", "Negative"],
    ... )
    >>> round(RNSB().run_query(query, model, holdout=False)["rnsb"], 3)
    0.015

    See also
    --------
    fairflow.metrics.MAC : any number of groups, without a classifier.
    fairflow.BaseMetric : `run_query` says what all metrics take and return.
    """

    metric_template = ("n", 2)
    metric_name = "Relative Negative Sentiment Bias"
    metric_short_name = "RNSB"
    citation = "sweeney2019transparent"
    signed = False
    nonnegative = True
    measure_names = ("rnsb", "rnsb_of_mean", "rnsb_sd", "rnsb_between_sets")
    # Longer vectors make a classifier more certain. With the dimension, its probabilities for other
    # words differ less, or more.
    depends_on_length = True
    depends_on_dimension = measure_names
    readings = {"rnsb": Reading(0, says="all target words equally negative")}
    without_effect_on_test = ("print_model_evaluation",)
    empty_details = {"negative_sentiment_probabilities": {}, "negative_sentiment_distribution": {}}

    def compute(
        self,
        targets: Sets,
        attributes: Sets,
        estimator: type | str | None = None,
        estimator_params: Mapping[str, Any] | None = None,
        holdout: bool = True,
        n_iterations: int | Literal["exact"] = N_SPLITS,
        random_state: int | None = SEED,
        print_model_evaluation: bool = False,
        test_size: float = HELD_OUT,
        stratify: bool = True,
        exchanged_label_counts: bool = False,
    ) -> Outcome:
        """The divergence, and the negative probability of each target word.

        Parameters
        ----------
        estimator, estimator_params : a scikit-learn classifier class with `predict_proba`, or its
            dotted name; by default L2-penalised logistic regression solved to convergence, whose
            parameters are those of scikit-learn's liblinear solver: C = 1, intercept_scaling = 1.
        holdout : hold out some of the attribute words; otherwise fit to all of them.
        test_size : share of the words to hold out, above 0 and below 1.
        stratify : hold out the same share of both sets.
        n_iterations : number of random splits, or "exact" for every possible split. Without
            holdout there is only one fit.
        exchanged_label_counts : reproduce an error of WEFE 0.1.0 to 0.3.1. It labels the first n
            words positive, n being the size of the second set, and the rest negative; unless the
            sets are equally large, words get the wrong label. Only for replications.
        random_state : seed of the splits; None draws others at each call. A single split equals
            scikit-learn's train_test_split.
        print_model_evaluation : print the accuracy of the classifiers on the words held out.

        Raises
        ------
        DegenerateError : too few attribute words to split.
        ValueError : n_iterations is neither a positive whole number nor "exact"; there are too
            many splits to enumerate; test_size is not between 0 and 1; the estimator does not
            exist; or the default estimator does not have a parameter.
        """
        positive, negative = attributes
        counts = (len(positive.words), len(negative.words))
        if exchanged_label_counts:
            counts = counts[::-1]
        if isinstance(estimator, str):
            estimator = _class_named(estimator)
        splits, weights = _splits(counts, holdout, n_iterations, random_state, test_size, stratify)
        rows = np.concatenate([positive.vectors, negative.vectors])
        labels = np.repeat([1, -1], counts)
        words = np.concatenate([target.vectors for target in targets])
        judged = np.concatenate([words, rows]) if print_model_evaluation else words
        classify = _classifiers(rows, labels, splits, judged, estimator, estimator_params or {})
        if print_model_evaluation:
            print(_evaluation(classify(rows), labels, splits))
        return replace(
            _outcome(targets, classify(words), weights, drawn=n_iterations != "exact"),
            resampling=lambda others=targets: RNSBStatistic.of(others, classify, weights),
        )


@dataclass(frozen=True)
class RNSBStatistic(ResamplingStatistic):
    """RNSB for weighted words, with the fitted classifiers.

    Null hypothesis of the test: the negative probability of a target word does not depend on its
    target set. Exchanged: the set labels of the target words; the sizes of the sets are kept.
    Statistic: the divergence from uniform of the sets' mean probabilities (`rnsb_between_sets`).
    RNSB itself is a divergence over words and does not depend on labels. Large values are evidence
    against the hypothesis.

    Attribute words are not resampled: each resample would need new classifiers.

    Attributes
    ----------
    probabilities : of the negative class, (splits, words). split_weights : (splits,).
    """

    targets: Sequence[Stratum]
    probabilities: np.ndarray
    split_weights: np.ndarray

    attributes = ()
    alternative = "greater"
    tested_measures = ("rnsb_between_sets",)

    @classmethod
    def of(
        cls,
        targets: Sets,
        classify: Callable[[np.ndarray], np.ndarray],
        split_weights: np.ndarray,
    ) -> RNSBStatistic:
        """The statistic of these sets."""
        words = np.concatenate([target.vectors for target in targets])
        return cls([stratum_of(target) for target in targets], classify(words), split_weights)

    @property
    def tested(self) -> str:
        """The divergence between sets; empty for a single set."""
        return "divergence of the sets' mean probabilities" if len(self.targets) > 1 else ""

    def measures(self, targets: Weights, attributes: Weights | None = None) -> Measures:
        """Mean divergence over splits, divergence of mean probabilities, divergence of sets."""
        weights = sum(targets[1:], targets[0])
        means = self.split_weights @ self.probabilities
        measures = {
            "rnsb": weighted_divergence(self.probabilities, weights) @ self.split_weights,
            "rnsb_of_mean": weighted_divergence(means[np.newaxis], weights)[:, 0],
        }
        if self.tested:
            measures["rnsb_between_sets"] = self.test_statistic(targets)
        return measures

    def limits(self, measure: str) -> tuple[float, float]:
        """The limits of a divergence from the uniform distribution over these words."""
        return 0.0, math.log(self.n_units)

    def test_statistic(self, targets: Weights) -> np.ndarray:
        """The divergence between sets."""
        means = (self.split_weights @ self.probabilities)[np.newaxis]
        of_sets = np.broadcast_arrays(
            *(weighted_means(means, weights_of_set) for weights_of_set in targets)
        )
        return kl_from_uniform(np.column_stack(of_sets))


def weighted_divergence(probabilities: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """`kl_from_uniform` of weighted words: (splits, n), (B, n) -> (B, splits).

    With S = weighted sum of p and n = sum of the weights, it is (weighted sum of p ln p) / S
    + ln n - ln S. NaN where all weights are 0.
    """
    total = weights @ probabilities.T  # (B, n) @ (n, splits)
    logarithms = np.log(np.where(probabilities > 0, probabilities, 1))
    entropies = weights @ (probabilities * logarithms).T
    total = np.where(total > 0, total, np.nan)
    number = np.where(total > 0, weights.sum(axis=1, keepdims=True), np.nan)
    return entropies / total + np.log(number) - np.log(total)


def _class_named(name: str) -> type:
    """The class with a dotted name such as sklearn.linear_model.LogisticRegression."""
    module, _, attribute = name.rpartition(".")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError):
        raise ValueError(f"estimator {name!r}: there is no such class") from None


def kl_from_uniform(probabilities: np.ndarray) -> np.ndarray:
    """Kullback-Leibler divergence of each row, normalised, from uniform: (..., n) -> (...)."""
    share = probabilities / probabilities.sum(axis=-1, keepdims=True)
    # x ln x tends to 0 with x.
    terms = share * np.log(np.where(share > 0, share, 1) * share.shape[-1])
    return terms.sum(axis=-1)


def _splits(
    counts: tuple[int, int],
    holdout: bool,
    n_iterations: int | Literal["exact"],
    random_state: int | None,
    test_size: float = HELD_OUT,
    stratify: bool = True,
) -> tuple[np.ndarray, np.ndarray]:
    """Training sets, (splits, words), and the probability of each, (splits,)."""
    if n_iterations != "exact" and (not isinstance(n_iterations, int) or n_iterations < 1):
        raise ValueError(f"n_iterations must be a positive int or 'exact', got {n_iterations!r}")
    if not holdout:
        return np.ones((1, sum(counts)), dtype=bool), np.ones(1)
    if not 0 < test_size < 1:
        raise ValueError(f"test_size must be a share between 0 and 1, got {test_size!r}")
    if n_iterations == "exact":
        if test_size != HELD_OUT or not stratify:
            raise ValueError(f"'exact' enumerates stratified splits of {HELD_OUT:.0%} only")
        return every_split(*counts)
    random = np.random.RandomState(random_state)
    splits = random_splits(*counts, n_iterations, random, test_size, stratify)
    return splits, np.full(len(splits), 1 / len(splits))


def _classifiers(
    rows: np.ndarray,
    labels: np.ndarray,
    splits: np.ndarray,
    words: np.ndarray,
    estimator: type | None,
    parameters: Mapping[str, Any],
) -> Callable[[np.ndarray], np.ndarray]:
    """Fit to each split; returns the probability of class -1, (m, dims) -> (splits, m)."""
    if estimator is None:
        unknown = sorted(set(parameters) - {"C", "intercept_scaling"})
        if unknown:
            raise ValueError(
                f"estimator_params {', '.join(unknown)}: the default estimator has C and "
                "intercept_scaling; name another estimator for others"
            )
        fits = fit_subsets(rows, labels, splits, words, **parameters)
        return lambda others: 1 - fits.positive_probabilities(others)
    fitted = [estimator(**parameters).fit(rows[split], labels[split]) for split in splits]
    return lambda others: np.array(
        [model.predict_proba(others)[:, list(model.classes_).index(-1)] for model in fitted]
    )


def _evaluation(probabilities: np.ndarray, labels: np.ndarray, splits: np.ndarray) -> str:
    """A sentence about the accuracy on the held-out attribute words of each split."""
    right = (probabilities > 0.5) == (labels < 0)
    held_out = ~splits
    if not held_out.any():
        return f"Accuracy on the {len(labels)} words fitted: {right.mean():.3f}; none was held out"
    accuracies = (right & held_out).sum(axis=1) / held_out.sum(axis=1)
    return (
        f"Accuracy on the {held_out[0].sum()} words held out: {accuracies.mean():.3f}, from "
        f"{accuracies.min():.3f} to {accuracies.max():.3f} over {len(splits)} splits"
    )


def _outcome(targets: Sets, probabilities: np.ndarray, weights: np.ndarray, drawn: bool) -> Outcome:
    """Assemble the result from (splits, target words) probabilities, drawn or enumerated."""
    scores = kl_from_uniform(probabilities)  # (splits,)
    means = weights @ probabilities  # (target words,)
    places = [(target.name, word) for target in targets for word in target.words]
    by_word = {word: float(p) for (_, word), p in zip(places, means, strict=True)}
    total = sum(by_word.values())
    several = len(scores) > 1
    ends = np.cumsum([len(target.words) for target in targets])[:-1]
    of_sets = np.array([values.mean() for values in np.split(means, ends)])
    rnsb = float(weights @ scores)
    variance = float(weights @ (scores - rnsb) ** 2)
    if drawn and several:
        variance *= len(scores) / (len(scores) - 1)
    kept = _kept_splits(weights)
    return Outcome(
        result=rnsb,
        measures={
            "rnsb": rnsb,
            "rnsb_of_mean": float(kl_from_uniform(means)),
            "rnsb_sd": math.sqrt(variance) if several else math.nan,
            "rnsb_between_sets": float(kl_from_uniform(of_sets)) if len(targets) > 1 else math.nan,
        },
        details={
            "negative_sentiment_probabilities": by_word,
            "negative_sentiment_distribution": {w: p / total for w, p in by_word.items()},
        },
        words=[
            WordValue(name, word, "negative_probability", float(p), values.tolist())
            for (name, word), p, values in zip(places, means, probabilities[kept].T, strict=True)
        ],
        reasons=({} if several else {"rnsb_sd": "one fit has no spread"})
        | ({} if len(targets) > 1 else {"rnsb_between_sets": "there is one target set"}),
        splits={"rnsb": scores[kept].tolist()},
    )


def _kept_splits(weights: np.ndarray) -> np.ndarray:
    """Which splits the results keep: at most `KEPT_SPLITS`, and none for a single fit.

    If there are more, those at evenly spaced shares of the total weight are kept.
    """
    if len(weights) == 1:
        return np.array([], dtype=int)
    if len(weights) <= KEPT_SPLITS:
        return np.arange(len(weights))
    levels = (np.arange(KEPT_SPLITS) + 0.5) / KEPT_SPLITS
    return np.searchsorted(np.cumsum(weights), levels)
