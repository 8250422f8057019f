"""A value over draws: its interval, its excess over shuffled texts, and shares of its variance.

Antoniak, M., & Mimno, D. (2018). Evaluating the stability of embedding-based word similarities.
Transactions of the ACL, 6, 107-119. https://doi.org/10.1162/tacl_a_00008
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from fairflow.statistics.intervals import FEW_UNITS, between, on_scale, stretch, student_step

# Embeddings without any training whose result depends on a seed.
NOT_RANDOM = ("counts", "pmi", "ppmi_svd")
NONE = np.empty(0)
UNLIMITED = (-math.inf, math.inf)
# A spread that is a smaller share of the values is rounding, and so is a distance from a limit.
_ROUNDING = 1e-12
ANALYTIC = ("error", "low", "high", "p")
KEY = ("embedding", "metric", "query", "subquery")
# The farthest place of a draw between limits at -1 and 1.
_FARTHEST = 0.999
_SMALLEST_P, _HALVES = 1e-15, 45


class Spread(NamedTuple):
    """What draws say of a value; NaN where they cannot."""

    standard_error: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p_value: float = math.nan


@dataclass(frozen=True)
class DrawnEstimate:
    """A value with its standard error.

    Attributes
    ----------
    freedom : degrees of the error. limits : the least and the largest value that the measure can
        have. stretched : the error on the scale of `end`, without limits.
    """

    value: float
    error: float = math.nan
    freedom: int = 0
    limits: tuple[float, float] = UNLIMITED
    stretched: float = math.nan

    @classmethod
    def of(
        cls,
        value: float,
        draws: np.ndarray,
        units: int,
        limits: tuple[float, float] = UNLIMITED,
        factor: float = 1.0,
        variance: float = 0.0,
    ) -> DrawnEstimate:
        """A value and the standard deviation of its draws.

        Parameters
        ----------
        draws : (draws,); undefined ones are left out.
        units : how many are drawn: documents or clusters of them. The degrees of freedom are one
            fewer than these, or than the draws.
        factor : of their variance. variance : of what else was drawn independently, which is added.
        """
        draws = _defined(draws)
        freedom = min(units, len(draws)) - 1
        if freedom < 1 or math.isnan(value + variance):
            return cls(value)
        error = math.sqrt(float(draws.var(ddof=1)) * factor + variance)
        if not error > _ROUNDING * float(np.abs(draws).max()):
            error = 0.0
        if not error or not _is_inside(value, limits):
            return cls(value, error, freedom, limits, error)
        slope = (1 - on_scale(value, limits) ** 2) ** -1.5 * 2 / (limits[1] - limits[0])
        far = stretch(np.clip(on_scale(draws, limits), -_FARTHEST, _FARTHEST))
        stretched = math.sqrt(float(far.var(ddof=1)) * factor + variance * slope**2)
        return cls(value, error, freedom, limits, stretched)

    def end(self, share: float) -> float:
        """The end of an interval at that quantile of Student's distribution.

        Where the measure has limits, at -1 and 1, it is found for x / sqrt(1 - x^2), whose limits
        are infinitely far away. An effect size divides a difference by the spread of all words; on
        this scale it is divided by the spread within the sets, so that errors hardly depend on it.
        In planted texts such intervals hold in .92 to 1, those of value -+ t s in .58 to .78.
        """
        if not self.error:
            return self.value
        step = student_step(share, self.freedom)
        if _is_inside(self.value, self.limits):
            return between(self.limits).moved(self.value, step * self.stretched)
        low, high = self.limits
        return min(max(self.value + step * self.error, low), high)


def _is_inside(value: float, limits: tuple[float, float]) -> bool:
    """Whether there are limits, and the value is at none of them."""
    return math.isfinite(limits[1] - limits[0]) and abs(on_scale(value, limits)) < 1 - _ROUNDING


Terms = Sequence[tuple[float, DrawnEstimate]]


def spread(terms: Terms, level: float = 0.95) -> Spread:
    """Standard error, interval and two-sided p-value of a sum of independent values with weights.

    Each value has its own interval, see `Estimate.end`, and their distances from the values are
    added as standard errors are, so that a difference lies where differences can (Zou & Donner
    2008, https://doi.org/10.1002/sim.3095). p is that of no difference from 0: the interval of
    level 1 - p ends there.

    Documents occur repeatedly in draws, so that the values of vectors may differ from that of all
    documents on one side; percentiles would then not surround it.
    """
    value = sum(weight * each.value for weight, each in terms)
    error = math.hypot(*(weight * each.error for weight, each in terms))
    if math.isnan(value + error):
        return Spread()
    if not error:
        return Spread(0.0, value, value)

    def end(share: float, turn: float = 1.0) -> float:
        signed = ((turn * weight, each) for weight, each in terms)
        far = (w * (each.end(share if w > 0 else 1 - share) - each.value) for w, each in signed)
        return turn * value + math.copysign(math.hypot(*far), share - 0.5)

    # By halves; log p is then known to 1e-12.
    least, most = math.log(_SMALLEST_P), 0.0
    for _ in range(_HALVES):
        middle = (least + most) / 2
        beyond = end(math.exp(middle) / 2, math.copysign(1.0, value)) > 0
        least, most = (least, middle) if beyond else (middle, most)
    return Spread(error, end((1 - level) / 2), end((1 + level) / 2), math.exp(most))


class Drawn(NamedTuple):
    """One value of a subcorpus with its draws.

    Attributes
    ----------
    key : embedding, metric, query and subquery. reason : why the value is NaN, else "".
    units : what is drawn with replacement: documents, or clusters of them. cluster : the field
        that these share, "" for documents.
    documents, seeds, shuffled, words : draws of each kind, (draws,), possibly none.
    why : the first reason why a draw has no value. analytic : standard error, lower and upper end,
        and p-value that follow from counts. more : further columns.
    limits : the least and the largest value that the measure can have.
    change : how much of what a draw does was done to the weights of documents: 1 is all.
    without_association : the value of texts without any, where it is known; else it is the mean of
        shuffled texts.
    """

    key: tuple[str, str, str, str]
    value: float
    units: int
    reason: str = ""
    cluster: str = ""
    documents: np.ndarray = NONE
    seeds: np.ndarray = NONE
    shuffled: np.ndarray = NONE
    words: np.ndarray = NONE
    why: str = ""
    analytic: tuple[float, float, float, float] = (math.nan,) * 4
    more: Mapping[str, Any] = MappingProxyType({})
    limits: tuple[float, float] = UNLIMITED
    change: float = 1.0
    without_association: float = math.nan

    def of_shuffled(self, value: float, factor: float) -> DrawnEstimate:
        """A value with that share of the variance of shuffled texts."""
        return DrawnEstimate.of(value, self.shuffled, len(self.shuffled), self.limits, factor)

    @property
    def null(self) -> DrawnEstimate:
        """The value of texts without any association."""
        if not math.isnan(self.without_association):
            return DrawnEstimate(self.without_association, 0.0)
        return self.of_shuffled(self.mean_of_shuffled, 1 / max(len(_defined(self.shuffled)), 1))

    @property
    def mean_of_shuffled(self) -> float:
        """NaN without any."""
        every = _defined(self.shuffled)
        return float(every.mean()) if len(every) else math.nan

    def over_documents(self, variance: float = 0.0) -> DrawnEstimate:
        """The value over documents (and seeds), and what else has that variance.

        That of a bootstrap is too small by a factor (units - 1) / units (Hesterberg 2015,
        https://doi.org/10.1080/00031305.2015.1089789).
        """
        factor = self.units / max(self.units - 1, 1) / self.change**2
        drawn = self.value, self.documents, self.units, self.limits
        return DrawnEstimate.of(*drawn, factor=factor, variance=variance)

    @property
    def terms(self) -> Terms:
        """The value, less that of texts without any association.

        Whole documents that repeat in draws add noise to all words, and a measure that is relative
        to their spread varies less than with other texts: its error is then at least that of
        shuffled texts.
        """
        own, noise = self.over_documents(), self.of_shuffled(self.value, 1.0)
        at_least = self.change == 1 and math.isnan(self.without_association)
        own = noise if at_least and noise.stretched > own.stretched else own
        return (1.0, own), (-1.0, self.null)

    @property
    def no_interval(self) -> str:
        """Why documents give no interval, if they do not."""
        one = f"one cluster by {self.cluster}" if self.cluster else "one document"
        return f"{one}: no interval over documents" if self.units == 1 else ""

    def columns(self, level: float) -> dict[str, Any]:
        """Columns of `corpus_scores`, see there.

        Each draw of documents has another seed: the variance over seeds is subtracted from it.
        """
        of_words = _variance(self.words)
        own, null = self.over_documents(), self.null
        every, n = _defined(self.documents), len(_defined(self.shuffled))
        # Where one more sample is expected: its variance is added to that of the mean.
        one_more = self.of_shuffled(self.mean_of_shuffled, 1 + 1 / max(n, 1))
        over_documents, over_all, band = (
            spread([(1.0, each)], level) for each in (own, self.over_documents(of_words), one_more)
        )
        excess = spread(self.terms, level)
        random = self.key[0] not in NOT_RANDOM
        of_seeds = _variance(np.append(self.seeds, self.value)) if random else 0.0
        of_documents = max(own.error**2 - of_seeds, 0.0)
        parts = {"documents": of_documents, "seeds": of_seeds, "words": of_words}
        total = sum(parts.values())
        missing = [name for name, part in parts.items() if math.isnan(part)]
        n_draws, lost = len(every), len(self.documents) - len(every)
        units = f"clusters by {self.cluster}" if self.cluster else "documents"
        notes = {
            f"{lost} of {len(self.documents)} draws have no value ({self.why})": lost,
            self.no_interval: self.no_interval,
            f"{self.units} {units}: the interval is rough": 1 < self.units < FEW_UNITS,
            "fewer than 2 shuffled texts: no interval of the excess": math.isnan(null.error),
            f"no shares of variance: no draws of {' and '.join(missing)}": missing,
        }
        return {
            **dict(zip(KEY, self.key, strict=True)),
            "value": self.value,
            **dict(zip(Spread._fields, over_documents[:3], strict=False)),
            **dict(zip(("low_all", "high_all"), over_all[1:3], strict=True)),
            "null_mean": null.value,
            "excess": self.value - null.value,
            **dict(zip(("excess_low", "excess_high", "excess_p"), excess[1:], strict=True)),
            "mean_of_draws": every.mean() if n_draws and self.value == self.value else math.nan,
            "n_draws": n_draws,
            **{f"share_{k}": part / total if total > 0 else math.nan for k, part in parts.items()},
            **dict(zip(("null_low", "null_high"), band[1:3], strict=True)),
            "n_shuffled": n,
            "smallest_effect": (excess.high - excess.low) / 2,
            "seed_values": " ".join(f"{value:.6g}" for value in _defined(self.seeds)),
            **{f"analytic_{k}": found for k, found in zip(ANALYTIC, self.analytic, strict=True)},
            "ratio": (over_documents.high - over_documents.low)
            / (self.analytic[2] - self.analytic[1]),
            "n_clusters": self.units,
            **self.more,
            "reason": self.reason or "; ".join(note for note, holds in notes.items() if holds),
        }


def _defined(draws: np.ndarray) -> np.ndarray:
    return draws[~np.isnan(draws)]


def _variance(draws: np.ndarray) -> float:
    draws = _defined(draws)
    return float(draws.var(ddof=1)) if len(draws) > 1 else math.nan
