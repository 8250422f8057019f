"""RNSB: relative negative sentiment bias of Sweeney and Najafian (2019)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fairflow.logistic_regression import positive_probabilities
from fairflow.metrics.base import BaseMetric, DegenerateError, Outcome, WordValue
from fairflow.vectors.query_vectors import WordVectors

HELD_OUT = 0.2


class RNSB(BaseMetric):
    """Does a sentiment classifier find some target words more negative than others?

    A logistic regression separates the first attribute set (positive) from the second
    (negative). p(w) is its probability of the negative class for a target word, P the p's divided
    by their sum over all n target words, and rnsb = sum of P ln(n P), the Kullback-Leibler
    divergence of P from the uniform distribution: 0 is fair, ln n the maximum.

    Over several random splits, `rnsb` is the mean of the divergences (WEFE's score),
    `rnsb_of_mean` the divergence of the mean probabilities and `rnsb_sd` the sample standard
    deviation over splits.
    """

    metric_template = ("n", 2)
    metric_name = "Relative Negative Sentiment Bias"
    metric_short_name = "RNSB"
    citation = "Sweeney & Najafian 2019, https://doi.org/10.18653/v1/P19-1162"
    signed = False
    measure_names = ("rnsb", "rnsb_of_mean", "rnsb_sd")
    empty_details = {"negative_sentiment_probabilities": {}, "negative_sentiment_distribution": {}}

    def compute(
        self,
        targets: Sequence[WordVectors],
        attributes: Sequence[WordVectors],
        estimator: type | None = None,
        estimator_params: Mapping[str, Any] | None = None,
        holdout: bool = True,
        n_iterations: int = 1,
        random_state: int | None = None,
    ) -> Outcome:
        """The divergence, and the negative probability of each target word.

        Parameters
        ----------
        estimator, estimator_params : a scikit-learn classifier class with `predict_proba`; by
            default L2-penalised logistic regression with C = 1, solved to convergence.
        holdout : fit to a stratified 80 % of the attribute words, otherwise to all of them.
        n_iterations : number of random splits; without holdout there is but one fit.
        random_state : seed of the splits. One split is that of scikit-learn's train_test_split.

        Raises
        ------
        DegenerateError : too few attribute words to split.
        ValueError : n_iterations is not a positive whole number.
        """
        if not isinstance(n_iterations, int) or n_iterations < 1:
            raise ValueError(f"n_iterations must be a positive int, got {n_iterations!r}")
        positive, negative = attributes
        counts = (len(positive.words), len(negative.words))
        splits = (
            stratified_splits(*counts, n_iterations, np.random.RandomState(random_state))
            if holdout
            else np.ones((1, sum(counts)), dtype=bool)
        )
        rows = np.concatenate([positive.vectors, negative.vectors])
        labels = np.repeat([1, -1], counts)
        words = np.concatenate([target.vectors for target in targets])
        if estimator is None:
            probabilities = 1 - positive_probabilities(rows, labels, splits, words)
        else:
            fitted = (
                estimator(**(estimator_params or {})).fit(rows[split], labels[split])
                for split in splits
            )
            probabilities = np.array([_negative_probabilities(model, words) for model in fitted])
        return _outcome(targets, probabilities)


def stratified_splits(
    positive: int, negative: int, repeats: int, random: np.random.RandomState
) -> np.ndarray:
    """Random training sets of four fifths of the words, both classes in proportion.

    The first split from a fresh generator is the one that scikit-learn's `train_test_split` with
    that seed, test_size 0.2 and stratify makes of the words in this order.

    Returns
    -------
    (repeats, positive + negative), True where a word is in the training set.

    Raises
    ------
    DegenerateError : a class has fewer than two words, or one side of the split would lack one.
    """
    held_out = math.ceil(HELD_OUT * (positive + negative))
    if min(positive, negative) < 2 or held_out < 2:
        raise DegenerateError(
            f"{positive} and {negative} attribute words are too few for a stratified "
            f"{HELD_OUT:.0%} holdout: at least 2 of each and 6 in all are needed"
        )
    # Class -1 comes first in scikit-learn's order.
    starts_and_counts = ((positive, negative), (0, positive))
    used = np.zeros((repeats, positive + negative), dtype=bool)
    for split in used:
        sizes = _apportion(np.array([negative, positive]), positive + negative - held_out, random)
        for (start, count), size in zip(starts_and_counts, sizes, strict=True):
            split[start + random.permutation(count)[:size]] = True
        _discard_order(held_out, positive + negative - held_out, random)
    return used


def kl_from_uniform(probabilities: np.ndarray) -> np.ndarray:
    """Kullback-Leibler divergence of each normalised row from uniform: (..., n) -> (...)."""
    share = probabilities / probabilities.sum(axis=-1, keepdims=True)
    # x ln x tends to 0 with x.
    terms = share * np.log(np.where(share > 0, share, 1) * share.shape[-1])
    return terms.sum(axis=-1)


def _apportion(counts: np.ndarray, seats: int, random: np.random.RandomState) -> np.ndarray:
    """Seats in proportion to counts by largest remainder; ties by lot."""
    exact = counts / counts.sum() * seats
    sizes = np.floor(exact).astype(int)
    remainders = exact - sizes
    missing = seats - sizes.sum()
    for remainder in np.unique(remainders)[::-1]:
        if missing <= 0:
            break
        tied = np.flatnonzero(remainders == remainder)
        chosen = random.choice(tied, size=min(len(tied), missing), replace=False)
        sizes[chosen] += 1
        missing -= len(chosen)
    return sizes


def _discard_order(held_out: int, kept: int, random: np.random.RandomState) -> None:
    # The order within a split does not matter to a converged fit, but the generator's state does.
    random.permutation(kept)
    random.permutation(held_out)


def _negative_probabilities(model: Any, words: np.ndarray) -> np.ndarray:
    column = list(model.classes_).index(-1)
    return model.predict_proba(words)[:, column]


def _outcome(targets: Sequence[WordVectors], probabilities: np.ndarray) -> Outcome:
    """Assemble the result from (splits, target words) negative probabilities."""
    scores = kl_from_uniform(probabilities)  # (splits,)
    means = probabilities.mean(axis=0)  # (target words,)
    places = [(target.name, word) for target in targets for word in target.words]
    by_word = {word: float(p) for (_, word), p in zip(places, means, strict=True)}
    total = sum(by_word.values())
    several = len(scores) > 1
    rnsb = float(scores.mean())
    return Outcome(
        result=rnsb,
        measures={
            "rnsb": rnsb,
            "rnsb_of_mean": float(kl_from_uniform(means)),
            "rnsb_sd": float(scores.std(ddof=1)) if several else math.nan,
        },
        details={
            "negative_sentiment_probabilities": by_word,
            "negative_sentiment_distribution": {w: p / total for w, p in by_word.items()},
        },
        words=[
            WordValue(name, word, "negative_probability", float(p))
            for (name, word), p in zip(places, means, strict=True)
        ],
        reasons={} if several else {"rnsb_sd": "one fit has no spread"},
    )
