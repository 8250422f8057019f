"""SC-WEAT: the single-category association test of Caliskan, Bryson and Narayanan (2017)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairflow.errors import DegenerateError
from fairflow.metrics.base_metric import BaseMetric, Sets, word_values
from fairflow.metrics.weat import WEAT
from fairflow.statistics.outcome import Outcome, Reading, of_these_words
from fairflow.statistics.resampling_statistic import (
    Measures,
    Weights,
    WordStatistic,
    weighted_means,
)
from fairflow.vectors.directions import cosine
from fairflow.vectors.query_vectors import WordVectors, stratum_of

# A spread as small as rounding errors counts as 0.
_NO_SPREAD = 1e-12


class SCWEAT(BaseMetric):
    """Is one category of words nearer to the first attribute set or to the second?

    d(w) = (mean of cos(w, a) over the first set - mean of cos(w, b) over the second) / sample sd of
    cos(w, x) over both. sc_weat = mean of d over the target words.

    Positive values are towards the first attribute set; 0 is fair. With sets of equal size it is
    between about -2 and 2. For a single word it is the statistic of the word embedding factual
    association test. `association` is the mean without the division, a difference of cosines.
    Source: Caliskan, Bryson and Narayanan (2017).

    Examples
    --------
    >>> from fairflow import load_query, load_test_model
    >>> from fairflow.metrics import SCWEAT
    >>> SCWEAT().run_query(load_query("occupations_women_men"), load_test_model())
    <SC-WEAT of Occupations wrt Women and Men: sc weat -0.04663, 0 of 106 words lost>

    See also
    --------
    fairflow.metrics.WEAT : two target sets.
    fairflow.metrics.WEFAT : whether the association of words follows a property.
    fairflow.BaseMetric : `run_query` says what all metrics take and return.
    """

    metric_template = (1, 2)
    metric_name = "Single-Category Word Embedding Association Test"
    metric_short_name = "SC-WEAT"
    citation = WEAT.citation
    of_directions = True
    # The effect size is a multiple of its spread.
    depends_on_dimension = ("association",)
    measure_names = ("sc_weat", "association")
    word_measure = "association"
    readings = dict.fromkeys(measure_names, Reading(0, "nearer to the first attributes"))

    def compute(self, targets: Sets, attributes: Sets) -> Outcome:
        """The mean effect size, and the effect size of each word.

        Raises
        ------
        DegenerateError : a word has the same cosine with all attribute words.
        """
        (words,) = targets
        statistic = SCWEATStatistic.of(words, attributes)
        differences, sizes = (rows[0] for rows in statistic.of_words(statistic.observed))
        if np.isnan(sizes).any():
            named = [words.words[row] for row in np.flatnonzero(np.isnan(sizes))]
            raise DegenerateError(f"the same cosine with all attribute words: {', '.join(named)}")
        measures = {"sc_weat": float(sizes.mean()), "association": float(differences.mean())}

        return Outcome(
            result=measures["sc_weat"],
            measures=measures,
            words=word_values(targets, {"sc_weat": sizes, "association": differences}),
            resampling=of_these_words(statistic, "attribute words are exchanged, not the targets"),
        )


@dataclass(frozen=True)
class SCWEATStatistic(WordStatistic):
    """SC-WEAT for weighted words. The units are the attribute words; roles are reversed here.

    Null hypothesis of the test: how near an attribute word is to the target words does not depend
    on its attribute set. Exchanged: the set labels of the attribute words; the sizes of the sets
    are kept. Statistic: sc_weat, whose denominators do not change.

    Attributes
    ----------
    targets : strata of the two attribute sets. attributes : the stratum of the target words.
    similarities : (target words, attribute words of both sets), cosines.
    """

    similarities: np.ndarray

    tested = "mean of effect sizes"
    tested_measures = ("sc_weat",)
    unit = "attribute words"

    @classmethod
    def of(cls, words: WordVectors, attributes: Sets) -> SCWEATStatistic:
        """The statistic of these sets."""
        both = np.concatenate([attribute.vectors for attribute in attributes])
        strata = [stratum_of(attribute) for attribute in attributes]
        return cls(strata, [stratum_of(words)], cosine(words.vectors, both))

    def of_words(self, targets: Weights) -> tuple[np.ndarray, np.ndarray]:
        """Difference and effect size of each target word: (B, words) each."""
        s = self.similarities
        means = [_divided(weights @ s.T, weights.sum(axis=1)) for weights in targets]
        both = targets[0] + targets[1]
        count = both.sum(axis=1)
        # Centred on the plain means, so that squares lose few digits.
        centred = s - s.mean(axis=1, keepdims=True)
        shift = _divided(both @ centred.T, count)
        squares = both @ (centred**2).T - count[:, np.newaxis] * shift**2
        variances = _divided(np.maximum(squares, 0), count - 1)
        sds = np.sqrt(np.where(variances > _NO_SPREAD**2, variances, np.nan))
        differences = means[0] - means[1]
        return differences, differences / sds

    def measures(self, targets: Weights, attributes: Weights | None = None) -> Measures:
        """Means over the target words; NaN if a set is empty or a word has no effect size."""
        differences, sizes = self.of_words(targets)
        weights = np.ones((1, len(self.similarities))) if attributes is None else attributes[0]
        return {
            "sc_weat": weighted_means(sizes, weights),
            "association": weighted_means(differences, weights),
        }

    @property
    def contributions(self) -> np.ndarray:
        """The mean over target words of cosine / sd, per attribute word: (attribute words,)."""
        sds = self.similarities.std(axis=1, ddof=1, keepdims=True)
        return (self.similarities / np.where(sds > _NO_SPREAD, sds, np.nan)).mean(axis=0)

    @property
    def magnitude(self) -> float:
        """The largest contribution."""
        return float(np.abs(self.contributions).max())

    def limits(self, measure: str) -> tuple[float, float]:
        """Effect size: its value if the words of each set are equal. Cosines: 2."""
        n = self.n_units
        most = math.sqrt(n * max(n - 1, 0) / math.prod(self.sizes))
        return (-most, most) if measure == "sc_weat" else (-2.0, 2.0)

    @property
    def width(self) -> int:
        """Every cosine is used."""
        return self.similarities.size


def _divided(values: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """Rows divided by their totals; NaN where a total is not above 0: (B, n), (B,)."""
    return values / np.where(totals > 0, totals, np.nan)[:, np.newaxis]
