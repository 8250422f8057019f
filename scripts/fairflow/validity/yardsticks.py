"""Do the values that a metric gives to words follow what people or statistics say of these words?

A yardstick is a norm: a number for each word, between two poles (Glasgow ratings, the share of
women in an occupation, answers of a survey). A metric that places words between the same poles is
valid as far as its values correlate with the norm.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from fairflow.errors import DegenerateError
from fairflow.metrics import METRICS
from fairflow.metrics.base_metric import BaseMetric, Sets
from fairflow.statistics.correlation import correlation_with_interval
from fairflow.statistics.intervals import UNDEFINED
from fairflow.studies.tables import columns_of
from fairflow.validity.evidence import Evidence, ModelWords, Norm
from fairflow.vectors.directions import unit
from fairflow.vectors.query_vectors import PairVectors, WordVectors

# A correlation over fewer words says next to nothing: over 9 random ones, half of all are
# beyond -.26 or .26.
FEWEST = 10
PEOPLE = "people"
COEFFICIENTS = ("pearson", "spearman", "partial")
# Values that differ by less, relative to the largest, are equal.
ROUNDING = 1e-12
# Of words, or why they are missing.
Values = np.ndarray | str


class Placed(NamedTuple):
    """The words of a norm that a model has, and where each method places them.

    Attributes
    ----------
    words : as the norm writes them; of several with one vector the first. values : "people" or a
        metric -> the values of the words, larger nearer to the first pole, or why they are missing.
    """

    words: list[str]
    values: Mapping[str, Values]

    def both(self, method: str) -> tuple[np.ndarray, np.ndarray] | str:
        """The norm and the values of a metric, or why there is one of them only."""
        people, placed = self.values[PEOPLE], self.values[method]
        if isinstance(people, str) or isinstance(placed, str):
            return people if isinstance(people, str) else str(placed)
        return people, placed


def placing_metrics() -> dict[str, BaseMetric]:
    """File -> metric, of the metrics that place single words between two poles."""
    classes = {name: METRICS.load(name) for name in METRICS.names}
    return {name: metric() for name, metric in classes.items() if metric.word_measure}


def yardsticks(evidence: Evidence) -> pd.DataFrame:
    """The correlation of each metric's word values with each norm.

    Word values are those of vectors of length 1.

    Returns
    -------
    a row for each model, norm and metric:
    model, concept, norm, norm_label, metric (its file), label (its short name) ;
    n_words : that the model has. n_norm : of the norm. coverage : the first as a share of the
    second ; pearson, spearman : correlation of value and norm, -1 to 1, positive if words nearer to
    the first pole have the larger number. partial : Pearson's given the logarithm of the words'
    frequency, over the n_partial words whose frequency is known. Each with the ends _low and _high
    of its 95 % interval over words ; reason : why a correlation is missing, else "".
    """
    metrics = placing_metrics()
    rows = []
    for model, words in evidence.words.items():
        every = evidence.concepts.values()
        for concept, norm in ((one, norm) for one in every for norm in one.norms):
            placed = _placed(words, norm, metrics)
            found, asked = len(placed.words), len(norm.values)
            known = [evidence.frequency.get(word.lower(), math.nan) for word in placed.words]
            frequency = np.array(known)
            rows += [
                {"model": model, "concept": concept.name, "norm": norm.name}
                | {"norm_label": norm.label, "metric": name, "label": metric.metric_short_name}
                | {"n_words": found, "n_norm": asked}
                | {"coverage": found / asked if asked else math.nan}
                | _correlated(placed.both(name), frequency)
                for name, metric in metrics.items()
            ]
    return pd.DataFrame(rows, columns=columns_of("yardsticks"))


def _placed(model: ModelWords, norm: Norm, metrics: Mapping[str, BaseMetric]) -> Placed:
    """Where people and metrics place the words of a norm in a model."""
    found = model.known(norm.values)
    words = model.word_set(norm.words, found).of_unit_length
    # Of several words with one vector, the first.
    word_of = dict(zip(reversed(words.form_of), reversed(found), strict=True))
    named = [word_of[form] for form in words.words]
    if reason := _too_few(model, norm, len(named)):
        return Placed(named, dict.fromkeys([PEOPLE, *metrics], reason))
    poles = [
        model.word_set(reference, model.asked(reference)).of_unit_length
        for reference in (norm.first, norm.second)
    ]
    whole, vectors = model.pairs(norm.first, norm.second)
    directions = unit(vectors.reshape(2 * len(whole), -1)).reshape(vectors.shape)
    pairs = PairVectors(tuple(whole), directions)
    people = np.array([norm.values[word] for word in named])
    values = {name: _values(metric, words, poles, pairs) for name, metric in metrics.items()}
    return Placed(named, {PEOPLE: _varying(people, "the norm"), **values})


def _too_few(model: ModelWords, norm: Norm, found: int) -> str:
    """Why the words of a norm cannot be placed, or ""."""
    if not model.asked(norm.words):
        return "its words were not looked up in this model"
    if found < FEWEST:
        some = f"only {found} of {len(norm.values)} words are in the model"
        return f"{some}, at least {FEWEST} are needed"
    for reference in (norm.first, norm.second):
        if not model.known(model.asked(reference)):
            return f"no word of the pole {reference} is in the model"
    return ""


def _values(metric: BaseMetric, words: WordVectors, poles: Sets, pairs: PairVectors) -> Values:
    """Where a metric places words, or why it cannot."""
    try:
        return _varying(metric.place(words, poles, pairs), "the metric")
    except DegenerateError as error:
        return str(error)


def _varying(values: np.ndarray, what: str) -> Values:
    """Values that differ, or why nothing correlates with them."""
    same = np.ptp(values) <= ROUNDING * np.abs(values).max()
    return f"{what} has the same value for all words" if same else values


def _correlated(
    both: tuple[np.ndarray, np.ndarray] | str, frequency: np.ndarray
) -> dict[str, float | int | str]:
    """The coefficients of a row of `yardsticks`.

    Parameters
    ----------
    both : the norm and a metric's values, (words,) each, or why one is missing. frequency : of each
        word, NaN if it is not known.
    """
    known = ~np.isnan(frequency)
    found = dict.fromkeys(COEFFICIENTS, UNDEFINED)
    reason = both if isinstance(both, str) else ""
    if not isinstance(both, str):
        found["pearson"] = correlation_with_interval(*both)
        found["spearman"] = correlation_with_interval(*both, "spearman")
        if known.sum() < FEWEST:
            reason = f"the frequency of only {known.sum()} words is known"
        else:
            people, placed = (values[known] for values in both)
            found["partial"] = correlation_with_interval(people, placed, given=frequency[known])
    row: dict[str, float | int | str] = {"n_partial": int(known.sum()), "reason": reason}
    for name, (value, low, high) in found.items():
        row |= {name: value, f"{name}_low": low, f"{name}_high": high}
    return row
