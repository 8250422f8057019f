"""CEAT, WEAT of words in many contexts, by its authors' formula and with words as chance, too.

Guo & Caliskan (2021, https://arxiv.org/abs/2006.03955) compute WEAT's effect size of many
draws, each with one context of every word, and combine them as a meta-analysis of independent
studies. Yet the words are the same in all draws: p speaks of other contexts of these words, and
becomes small with many draws. The variance of a draw is that of its associations, on the scale of
cosines, which the variance between draws mostly makes up for. `crossed_effect` takes words and
contexts as crossed random effects instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from fairflow.statistics.intervals import LEVEL
from fairflow.vectors.directions import unit

# A lattice whose points are even in each of three dimensions, and together. With as many a p of .05
# is off by .0001 or less; one below .0001 is rough.
POINTS, LATTICE = 2048, (1, 182667, 469891)


class Crossed(NamedTuple):
    """An effect size in the population of words and of contexts.

    Attributes
    ----------
    effect : between about -2 and 2 for sets of equal size, positive if the first set is nearer to
        the first attributes. low, high : 95 % interval. p : two-sided, below .05 where the interval
        excludes 0. reason : why all of them are NaN, "" otherwise.
    """

    effect: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan
    reason: str = ""


def associations(
    vectors: Sequence[Sequence[np.ndarray]], contexts: np.ndarray | None = None
) -> np.ndarray:
    """The association of each target word in each draw: (draws, words of both target sets).

    Mean cosine with one context of each word of the first attribute set minus that of the second.

    Parameters
    ----------
    vectors : for both target and both attribute sets, of each word those of its contexts: (contexts
        of the word, dims).
    contexts : (draws, words of all sets) the number of the context of each. By default draw k has
        the k-th of every word, as far as each word has one.
    """
    every = [unit(own) for words in vectors for own in words]
    if contexts is None:
        fewest = min(map(len, every))
        contexts = np.repeat(np.arange(fewest)[:, np.newaxis], len(every), axis=1)
    ends = np.cumsum([len(words) for words in vectors])
    drawn = [own[of] for own, of in zip(every, contexts.T, strict=True)]
    first, second = (sum(drawn[a:b]) / (b - a) for a, b in pairwise(ends[1:]))
    contrast = first - second
    return np.stack([np.einsum("kd,kd->k", own, contrast) for own in drawn[: ends[1]]], axis=1)


def effects_of_draws(associated: np.ndarray, n_first: int) -> tuple[np.ndarray, np.ndarray]:
    """WEAT's effect size of each draw, and the variance of its associations: (draws,) twice.

    Parameters
    ----------
    associated : (draws, words). n_first : words of the first set, which stand first.
    """
    variance = associated.var(axis=1, ddof=1)
    first, second = associated[:, :n_first], associated[:, n_first:]
    return (first.mean(axis=1) - second.mean(axis=1)) / np.sqrt(variance), variance


def authors_p(effects: np.ndarray, variances: np.ndarray) -> tuple[float, float]:
    """The authors' combined effect size and its p: random effects of DerSimonian & Laird.

    As their code has it, p is one-sided, for a positive effect.

    Parameters
    ----------
    effects, variances : (draws,) see `effects_of_draws`.
    """
    weights = 1 / variances
    fixed = weights @ effects / weights.sum()
    excess = weights @ (effects - fixed) ** 2 - (len(effects) - 1)
    between = excess / (weights.sum() - weights @ weights / weights.sum())
    weights = 1 / (variances + max(between, 0.0))
    combined = weights @ effects / weights.sum()
    return float(combined), math.erfc(combined * math.sqrt(weights.sum() / 2)) / 2


def crossed_effect(associated: np.ndarray, n_first: int) -> Crossed:
    """The effect size for words and contexts as random: association = set + word + draw + rest.

    The effect is d = (mu_X - mu_Y) / sd of both sets' words within a draw, as WEAT has it. Words
    have one variance in both sets; draws move all words, and each set, as attribute words have
    other contexts in each. The attribute words themselves are fixed, as in WEAT.

    Interval and p are generalised ones (Weerahandi 1993,
    https://doi.org/10.1080/01621459.1993.10476355): the mean squares of words, draws and rest are
    replaced by what they leave likely of the variances. Where words alone vary they are those of
    Student's and of the noncentral t.

    Parameters
    ----------
    associated : (draws, words), each context in one draw only. n_first : words of the first set,
        which stand first.
    """
    from scipy.optimize import brentq
    from scipy.special import ndtr, ndtri

    n_draws, n_words = associated.shape
    n_second = n_words - n_first
    if min(n_first, n_second, n_draws) < 2:
        found = f"{n_first} and {n_second} words in {n_draws} draws"
        return Crossed(reason=f"{found}, 2 of each are needed")
    share = n_first * n_second / n_words**2
    inverse = 1 / (share * n_words)
    sets = associated[:, :n_first], associated[:, n_first:]
    centred = [own - own.mean(axis=1, keepdims=True) for own in sets]
    means = [own.mean(axis=0) for own in centred]
    by_word = sum(float(own @ own) for own in means) * n_draws
    rest = sum(float((own**2).sum()) for own in centred) - by_word
    gaps = sets[0].mean(axis=1) - sets[1].mean(axis=1)
    # Sums of squares, each in the variance of an association, with their degrees of freedom.
    by_draw = float(((gaps - gaps.mean()) ** 2).sum()) / inverse
    squares = np.array([by_word, by_draw, rest])[:, np.newaxis]
    degrees = np.array([n_words - 2, n_draws - 1, (n_words - 2) * (n_draws - 1)])
    if by_word + rest <= 1e-24 * float((associated**2).sum()):
        return Crossed(reason="all words of a set have the same association in each draw")

    def scales(divisors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Standard error of the difference of the sets, and sd of words within a draw."""
        word, draw, rest = squares / divisors
        # In truth neither words nor draws vary less than the rest, and their sum less it no less.
        error = word + draw - np.minimum(rest, np.maximum(word, draw))
        return np.sqrt(inverse * error / n_draws), np.sqrt(rest + (word - rest) / n_draws)

    gap, spread = float(gaps.mean()), scales(degrees[:, np.newaxis])[1].item()
    errors, spreads = scales(_chances(*degrees))

    def beyond(g: float, tail: float) -> float:
        """By how much more than this it is likely that the difference is below g spreads."""
        return float(ndtr((g * spreads - gap) / errors).mean()) - tail

    ratios = [gap / spread]
    for tail in ((1 - LEVEL) / 2, (1 + LEVEL) / 2):
        each = (gap + ndtri(tail) * errors) / spreads
        ratios.append(brentq(beyond, each.min(), each.max(), args=tail))
    effect, low, high = (g / math.sqrt(1 + share * g**2) for g in ratios)
    return Crossed(effect, low, high, 2 * float(ndtr(-abs(gap) / errors).mean()))


@cache
def _chances(*degrees: int) -> np.ndarray:
    """Chi-squares of three degrees of freedom, at the points of a lattice: (3, POINTS)."""
    from scipy.special import gammaincinv

    even = (np.outer(LATTICE, np.arange(POINTS)) % POINTS + 0.5) / POINTS
    return 2 * gammaincinv(np.array(degrees)[:, np.newaxis] / 2, even)
