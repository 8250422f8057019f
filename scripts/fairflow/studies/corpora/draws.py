"""A value over draws: its interval, its null band, and the shares of its variance.

Antoniak, M., & Mimno, D. (2018). Evaluating the stability of embedding-based word similarities.
Transactions of the ACL, 6, 107-119. https://doi.org/10.1162/tacl_a_00008
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

# Embeddings without any training whose result depends on a seed.
NOT_RANDOM = ("counts", "pmi", "ppmi_svd")
NONE = np.empty(0)
# A spread that is a smaller share of the values is rounding.
_ROUNDING = 1e-12
KEY = ("embedding", "metric", "query", "subquery")


class Spread(NamedTuple):
    """What draws say of a value; NaN where they cannot."""

    standard_error: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p_value: float = math.nan


def spread(
    value: float, draws: np.ndarray, units: int, level: float = 0.95, variance: float = 0.0
) -> Spread:
    """Standard error, interval and two-sided p-value (of no difference from 0) of a value.

    value -+ t s with s = sd of the draws * sqrt(units / (units - 1)), as a bootstrap's variance is
    too small by that factor (Hesterberg 2015, https://doi.org/10.1080/00031305.2015.1089789), and t
    of Student's distribution with min(units, draws) - 1 degrees of freedom. In planted corpora of
    10 to 200 documents these intervals hold in .92 to .96, percentiles of 200 draws in .88 to .93.
    Documents occur repeatedly in draws, so that the values of vectors may differ from that of all
    documents on one side; percentiles would then not surround it.

    Parameters
    ----------
    draws : (draws,); undefined ones are left out. If all are equal, the interval has no width.
    units : how many are drawn: documents, those of the smallest subcorpus that takes part.
    variance : of what else was drawn independently, which is added.

    Returns
    -------
    NaN of one unit, fewer than two draws or an undefined value.
    """
    from scipy.special import stdtr, stdtrit

    draws = _defined(draws)
    freedom = min(units, len(draws)) - 1
    if freedom < 1 or math.isnan(value + variance):
        return Spread()
    error = math.sqrt(float(draws.var(ddof=1)) * units / (units - 1) + variance)
    if not error > _ROUNDING * float(np.abs(draws).max()):
        return Spread(0.0, value, value)
    half = float(stdtrit(freedom, (1 + level) / 2)) * error
    return Spread(error, value - half, value + half, 2 * float(stdtr(freedom, -abs(value) / error)))


def null_band(shuffled: np.ndarray, level: float = 0.95) -> tuple[float, float]:
    """Where the value of one more shuffled sample is expected (Student's prediction interval)."""
    from scipy.special import stdtrit

    shuffled = _defined(shuffled)
    n = len(shuffled)
    if n < 2:
        return math.nan, math.nan
    half = float(stdtrit(n - 1, (1 + level) / 2) * shuffled.std(ddof=1) * math.sqrt(1 + 1 / n))
    return float(shuffled.mean()) - half, float(shuffled.mean()) + half


@dataclass(frozen=True)
class Drawn:
    """One value of a subcorpus with its draws.

    Attributes
    ----------
    key : embedding, metric, query and subquery. reason : why the value is NaN, else "".
    n_documents : of the subcorpus.
    documents, seeds, shuffled, words : draws of each kind, (draws,), possibly none.
    words_interval : over words. why : the first reason why a draw has no value.
    more : further columns.
    """

    key: tuple[str, str, str, str]
    value: float
    n_documents: int
    reason: str = ""
    documents: np.ndarray = field(default_factory=lambda: NONE)
    seeds: np.ndarray = field(default_factory=lambda: NONE)
    shuffled: np.ndarray = field(default_factory=lambda: NONE)
    words: np.ndarray = field(default_factory=lambda: NONE)
    words_interval: tuple[float, float] = (math.nan, math.nan)
    why: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)

    def columns(self, level: float) -> dict[str, Any]:
        """Columns of `corpus_scores`, see there."""
        drawn = self.value, self.documents, self.n_documents, level
        own, every = spread(*drawn), _defined(self.documents)
        together = spread(*drawn, variance=_variance(self.words))
        null_low, null_high = null_band(self.shuffled, level)
        shares, lacking = self.shares
        return {
            **dict(zip(KEY, self.key, strict=True)),
            "value": self.value,
            **own._asdict(),
            "low_words": self.words_interval[0],
            "high_words": self.words_interval[1],
            "low_all": together.low,
            "high_all": together.high,
            "mean_of_draws": float(every.mean()) if len(every) else math.nan,
            "n_draws": len(every),
            **{f"share_{part}": share for part, share in shares.items()},
            "null_low": null_low,
            "null_high": null_high,
            "n_shuffled": len(_defined(self.shuffled)),
            "smallest_effect": (own.high - own.low) / 2,
            "seed_values": " ".join(f"{value:.6g}" for value in _defined(self.seeds)),
            "n_documents": self.n_documents,
            **self.more,
            "reason": self.reason or "; ".join([*self._notes(), *lacking]),
        }

    @property
    def shares(self) -> tuple[dict[str, float], list[str]]:
        """Share of documents, seeds and words in the sum of their variances; why they are missing.

        Each draw of documents has another seed: the variance over seeds is subtracted.
        """
        random = self.key[0] not in NOT_RANDOM
        seeds = _variance(np.append(self.seeds, self.value)) if random else 0.0
        error = spread(self.value, self.documents, self.n_documents).standard_error
        documents = max(error**2 - seeds, 0.0)
        parts = {"documents": documents, "seeds": seeds, "words": _variance(self.words)}
        missing = [name for name, variance in parts.items() if math.isnan(variance)]
        note = [f"no shares of variance: no draws of {' and '.join(missing)}"] if missing else []
        total = sum(parts.values())
        return {name: part / total if total > 0 else math.nan for name, part in parts.items()}, note

    def _notes(self) -> Iterator[str]:
        if lost := len(self.documents) - len(_defined(self.documents)):
            yield f"{lost} of {len(self.documents)} draws have no value ({self.why})"
        if self.n_documents == 1:
            yield "one document: no interval over documents"


def _defined(draws: np.ndarray) -> np.ndarray:
    return draws[~np.isnan(draws)]


def _variance(draws: np.ndarray) -> float:
    draws = _defined(draws)
    return float(draws.var(ddof=1)) if len(draws) > 1 else math.nan
