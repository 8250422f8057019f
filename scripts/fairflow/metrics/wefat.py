"""WEFAT: the association of words compared with a property of what they name.

Caliskan, Bryson and Narayanan (2017) regress the share of women in occupations on the association
of the occupations' names. Garg, Schiebinger, Jurafsky and Zou (2018) use a difference of distances.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairflow.errors import DegenerateError
from fairflow.metrics.base_metric import BaseMetric, Sets
from fairflow.metrics.weat import associations
from fairflow.statistics.outcome import Outcome, OwnTest, Reading, WordValue, of_these_words
from fairflow.statistics.permutation import PermutationTest
from fairflow.statistics.rank_tests import correlation_test
from fairflow.statistics.resampling_statistic import (
    Measures,
    Stratum,
    Weights,
    WordStatistic,
    weighted_sums,
)
from fairflow.vectors.directions import cosine
from fairflow.vectors.query_vectors import WordVectors

FEWEST = 3


def _effect_sizes(words: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Difference of mean cosines divided by the sample sd of all cosines: (words,)."""
    sds = cosine(words, np.concatenate([first, second])).std(axis=1, ddof=1)
    return associations(words, first, second) / np.where(sds > 0, sds, np.nan)


def _distances(words: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Distance to the mean of the second set minus distance to that of the first: (words,)."""
    near, far = (np.linalg.norm(words - some.mean(axis=0), axis=1) for some in (first, second))
    return far - near


Association = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
ASSOCIATIONS: dict[str, Association] = {
    "effect_size": _effect_sizes,
    "cosine": associations,
    "distance": _distances,
}
# Scales of the property, and how figures write each of them for a share p.
SCALES = {
    "plain": "",
    "difference": "2p \N{MINUS SIGN} 1",
    "log_odds": "log(p / (1 \N{MINUS SIGN} p))",
}


class WEFAT(BaseMetric):
    """Does the association of words follow a property of what they name?

    s(w) = association of target word w with two attribute sets, positive towards the first. It is
    the `effect_size` of Caliskan et al., (mean cos(w, a) - mean cos(w, b)) / sample sd of cos(w, x)
    over both sets; or only the difference of mean cosines (`cosine`); or Garg et al.'s `distance`,
    |w - mean(b)| - |w - mean(a)|.
    A least-squares line predicts s from the property p: as it is (`plain`), as the difference of
    shares 2p - 1 (`difference`), or as `log_odds` log(p / (1 - p)).

    r2 = share of the variance of s that the line explains, from 0 (no relation) to 1. `slope` and
    `intercept` describe the line; `correlation` is Pearson's. `p_slope` is the p-value of the
    t-test of slope 0. `p_permuted` is the p-value from 9,999 random orders of the property; its
    null hypothesis is that any word may have any value. `n_with_property` counts the words with a
    value. Sources: Caliskan, Bryson and Narayanan (2017); Garg, Schiebinger, Jurafsky and Zou
    (2018).

    For each word: `association`, and `property` on the scale of the line.

    Examples
    --------
    >>> from fairflow import load_query, load_test_model
    >>> from fairflow.metrics import WEFAT
    >>> result = WEFAT().run_query(load_query("occupations_women_men"), load_test_model())
    >>> round(result["r2"], 2), round(result["slope"], 2)
    (0.49, 1.9)

    See also
    --------
    fairflow.metrics.SCWEAT : the mean association alone.
    fairflow.BaseMetric : `run_query` says what all metrics take and return.
    """

    metric_template = (1, 2)
    metric_name = "Word Embedding Factual Association Test"
    metric_short_name = "WEFAT"
    citation = "garg2018word"
    signed = False
    nonnegative = True
    measure_names = (
        "r2",
        "slope",
        "intercept",
        "correlation",
        "p_slope",
        "p_permuted",
        "n_with_property",
    )
    measures_bias = False
    unranked = ("intercept", "p_slope", "p_permuted", "n_with_property")
    readings = {
        "r2": Reading(says="0: association unrelated to the property"),
        "slope": Reading(says="above 0: association grows with the property"),
        "intercept": Reading(says="association where the property is 0"),
        "correlation": Reading(says="above 0: association grows with the property"),
        "p_slope": Reading(says="t-test of slope 0"),
        "p_permuted": Reading(says="share of random orders that correlate as much"),
        "n_with_property": Reading(says="words"),
    }
    needs = ("property",)

    @classmethod
    def scales_with_length(cls, parameters: Mapping[str, object]) -> bool:
        """True for distances, not for cosines."""
        return parameters.get("association", "effect_size") == "distance"

    @classmethod
    def property_scale(cls, parameters: Mapping[str, object]) -> str:
        """The scale of the line; empty for the property's own scale."""
        return SCALES.get(str(parameters.get("scale", "plain")), "")

    @classmethod
    def scales_with_dimension(cls, measure: str, parameters: Mapping[str, Any]) -> bool:
        """With distances the line depends on the dimension, but not how well it fits."""
        return measure in ("slope", "intercept") and cls.scales_with_length(parameters)

    def compute(
        self,
        targets: Sets,
        attributes: Sets,
        property: Mapping[str, float],
        association: str = "effect_size",
        scale: str = "plain",
    ) -> Outcome:
        """The line, and the association and property of each word.

        Parameters
        ----------
        property : word -> number, with the words as the query writes them.
        association : a key of `ASSOCIATIONS`. scale : a key of `SCALES`.

        Raises
        ------
        ValueError : another association or scale.
        DegenerateError : fewer than 3 words have the property, all have the same value, or a value
            is outside of the scale.
        """
        for name, value, valid in (
            ("association", association, ASSOCIATIONS),
            ("scale", scale, SCALES),
        ):
            if value not in valid:
                raise ValueError(f"{name} must be one of {', '.join(valid)}, got {value!r}")
        (words,) = targets
        asked = dict(zip(reversed(words.form_of), reversed(words.asked), strict=False))
        values = [property.get(asked.get(form, form)) for form in words.words]
        rows = [row for row, value in enumerate(values) if value is not None]
        if len(rows) < FEWEST:
            raise DegenerateError(f"only {len(rows)} words have a value of the property")
        names = tuple(words.words[row] for row in rows)
        x = _scaled(scale, names, np.array([values[row] for row in rows], dtype=np.float64))
        first, second = (attribute.vectors for attribute in attributes)
        y = ASSOCIATIONS[association](words.vectors[rows], first, second)
        statistic = WEFATStatistic.of(words, rows, x, y)
        line = {
            name: float(values[0])
            for name, values in statistic.measures(statistic.observed).items()
        }
        if math.isnan(line["r2"]):
            raise DegenerateError("the property or the association is the same for all words")
        test = correlation_test(x, y, "pearson")
        how = test.p_method, "two-sided", test.n_permutations, 1 / (test.n_permutations + 1)
        own = PermutationTest(test.p_value, *how)
        measures = line | {
            "p_slope": _p_of_slope(line["r2"], len(rows)),
            "p_permuted": test.p_value,
            "n_with_property": float(len(rows)),
        }

        return Outcome(
            result=measures["r2"],
            measures={name: measures[name] for name in self.measure_names},
            details={"n_with_property": len(rows)},
            words=[
                WordValue(words.name, word, measure, value)
                for measure, of_all in (("association", y), ("property", x))
                for word, value in zip(names, of_all.tolist(), strict=True)
            ],
            resampling=of_these_words(statistic, "random words have no value of the property"),
            own_test=OwnTest(("r2", "slope", "correlation"), "order of the property", own),
        )


def _scaled(scale: str, names: Sequence[str], values: np.ndarray) -> np.ndarray:
    """Values of the property on a scale: (n,) -> (n,).

    Raises
    ------
    DegenerateError : the scale needs shares, and a value is not between 0 and 1.
    """
    if scale == "plain":
        return values
    outside = (values < 0) | (values > 1)
    if scale == "log_odds":
        outside |= (values == 0) | (values == 1)
    if outside.any():
        place = int(outside.argmax())
        raise DegenerateError(
            f"{scale}: {values[place]:g} of {names[place]} is not between 0 and 1"
        )
    return 2 * values - 1 if scale == "difference" else np.log(values / (1 - values))


def _p_of_slope(r2: float, n: int) -> float:
    """Two-sided p-value of the t-test of slope 0."""
    from scipy.special import stdtr

    if r2 >= 1:
        return 0.0
    t = math.sqrt(r2 * (n - 2) / (1 - r2))
    return float(2 * stdtr(n - 2, -t))


@dataclass(frozen=True)
class WEFATStatistic(WordStatistic):
    """The line through weighted words. The test permutes the property; labels are not exchanged.

    Attributes
    ----------
    x, y : property and association of each word, (words,) each.
    """

    x: np.ndarray
    y: np.ndarray

    attributes_fixed = "the line describes target words: attribute words are not resampled"
    untestable = "tested with random orders of the property, see p_permuted"

    @classmethod
    def of(
        cls, words: WordVectors, rows: Sequence[int], x: np.ndarray, y: np.ndarray
    ) -> WEFATStatistic:
        """The statistic of the words in some rows of a set."""
        names = tuple(words.words[row] for row in rows)
        at: dict[str | None, int] = {name: place for place, name in enumerate(names)}
        asked = tuple(words.asked or words.words)
        unit_of = np.full(len(asked), -1)
        for place, form in enumerate(words.form_of):
            # A repeated word is a single unit.
            unit_of[place] = at.pop(form, -1)
        return cls([Stratum(asked, unit_of, names)], [], x, y)

    def measures(self, targets: Weights, attributes: Weights | None = None) -> Measures:
        """Weighted least squares; NaN where all drawn words have the same value."""
        (weights,) = targets
        x, y = self.x - self.x.mean(), self.y - self.y.mean()
        total = weights.sum(axis=1)
        total = np.where(total > 0, total, np.nan)

        def mean(values: np.ndarray) -> np.ndarray:
            return weighted_sums(values[np.newaxis], weights) / total

        mean_x, mean_y = mean(x), mean(y)
        xx, yy = mean(x**2) - mean_x**2, mean(y**2) - mean_y**2
        xy = mean(x * y) - mean_x * mean_y
        xx = np.where(xx > 1e-12 * max((x**2).max(), 1e-300), xx, np.nan)
        yy = np.where(yy > 1e-12 * max((y**2).max(), 1e-300), yy, np.nan)
        slope, r = xy / xx, np.clip(xy / np.sqrt(xx * yy), -1, 1)
        intercept = mean_y + self.y.mean() - slope * (mean_x + self.x.mean())
        return {"r2": r**2, "slope": slope, "intercept": intercept, "correlation": r}

    def limits(self, measure: str) -> tuple[float, float]:
        """The limits of a share, of a correlation, or of any number."""
        bounds = {"r2": (0.0, 1.0), "correlation": (-1.0, 1.0)}
        return bounds.get(measure, (-math.inf, math.inf))
