"""How often the intervals of each rule hold a known truth, and how wide they are.

A world draws words, items or documents of a known population, and gets the library's interval.
tests/slow/test_coverage_of_rules.py writes workflow/report/coverage.csv with it.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy import stats
from word_sets import Mean, numbered, sets_of, stratum

from fairflow.corpora.draws import Drawn, spread
from fairflow.language_models.items.text_items import PairItem
from fairflow.language_models.scoring.item_metric import ItemScores, Measured, mean_of
from fairflow.metrics.weat import WEAT
from fairflow.statistics.bootstrap import resample
from fairflow.statistics.correlation import correlation_with_interval
from fairflow.statistics.counts import log_odds, with_end_interval
from fairflow.statistics.intervals import (
    LEVEL,
    percentile_interval,
    resampled_interval,
    student_interval,
)
from fairflow.statistics.item_bootstrap import mean_resamples, resampled
from fairflow.statistics.reliability import cohen_kappa, cronbach_alpha, fleiss_kappa
from fairflow.statistics.seeds import identity_generator
from fairflow.statistics.uncertainty import Uncertainty

RESAMPLES, DRAWS = 500, 200


class World(NamedTuple):
    """What is drawn, and the truth."""

    rule: str
    name: str
    n: int
    truth: float
    ends: Callable[[np.random.Generator, int], tuple[float, float]]


def normal(random, *shape):
    return random.normal(0, 1, shape)


def skewed(random, *shape):
    return random.exponential(1, shape) - 1


def of_statistic(value, statistic, name, random):
    """The interval of a value over all that its statistic resamples."""
    drawn = resample(statistic, RESAMPLES, int(random.integers(2**31)))
    draws = (drawn.draws_both or drawn.draws)[name]
    found = resampled_interval(value, draws, drawn.left_out[name])
    return found.low, found.high


def of_words(draw, random, n):
    values = draw(random, n)
    statistic = Mean((stratum(*numbered("w", n)),), values)
    return of_statistic(float(values.mean()), statistic, "mean", random)


def of_vectors(random, n):
    sets = sets_of((n,) * 4, random.integers(2**31), dims=50)
    outcome = WEAT().compute(sets[:2], sets[2:])
    value = outcome.measures["effect_size"]
    return of_statistic(value, outcome.resampling(), "effect_size", random)


def of_share(share, alike, most, random, n):
    """A share of items in n units of 1 to `most` items, which are alike to a degree."""
    of_unit = np.full(n, share)
    if alike:
        of_unit = random.beta(*(np.array([share, 1 - share]) * (1 - alike) / alike), n)
    unit = np.repeat(np.arange(n), random.integers(1, most + 1, n))
    values = (random.random(len(unit)) < of_unit[unit]).astype(float)
    items = tuple(PairItem(str(i), "", "", cluster=str(of)) for i, of in enumerate(unit))
    known = ("ok",) * len(unit), (None,) * len(unit)
    scores = ItemScores("metric", "value", items, values, *known)
    scale, value = (0.0, 1.0), float(values.mean())
    measured = Measured(
        scores, lambda weights: {"share": mean_of(values, weights)}, ends={"share": scale}
    )
    low, high = of_statistic(value, measured.statistic, "share", random)
    found = with_end_interval(Uncertainty(ci_low=low, ci_high=high), value, scale, n, LEVEL)
    return found.ci_low, found.ci_high


def of_difference(draw, random, n):
    seed = int(random.integers(2**31))
    return percentile_interval(resampled("mean", np.zeros(n), draw(random, n), RESAMPLES, seed))


def of_queries(random, n):
    """A mean over queries in n groups of 1 to 4, which have much in common."""
    group = np.repeat(np.arange(n), random.integers(1, 5, n))
    values = (normal(random, n)[group] + normal(random, len(group)))[np.newaxis]
    return percentile_interval(mean_resamples(values, group.tolist(), random)[0])


def of_documents(draw, random, n):
    """A mean of what n units of 1 to 8 tokens hold, which are drawn whole."""
    sizes, means = random.integers(1, 9, n), draw(random, n)
    weights = random.multinomial(n, np.full(n, 1 / n), DRAWS) * sizes
    key, value = ("", "", "", ""), float(sizes @ means / sizes.sum())
    drawn = Drawn(key, value, n, documents=weights @ means / weights.sum(axis=1))
    _, low, high, _ = spread([(1.0, drawn.over_documents())])
    return low, high


def of_counts(dispersion, random, n):
    """Log odds of four counts of n on average, Poisson's or in bursts."""
    means = random.gamma(1 / dispersion, dispersion, 4) * n if dispersion else n
    return student_interval(*log_odds(random.poisson(means, 4))[:2])


def of_pairs(change, random, n, method="pearson"):
    first, second = normal(random, 2, n)
    second = first / 2 + math.sqrt(0.75) * second
    return correlation_with_interval(change(first), change(second), method)[1:]


def of_raters(raters, random, n):
    truth = random.integers(0, 2, (n, 1))
    knows = random.random((n, raters)) < math.sqrt(0.5)
    labels = np.where(knows, truth, random.integers(0, 2, (n, raters)))
    return (cohen_kappa(*labels.T) if raters == 2 else fleiss_kappa(labels))[1:]


def of_parts(draw, random, n):
    return cronbach_alpha(draw(random, n, 1) + draw(random, n, 8))[1:]


FEW = (5, 8, 25)
LOGNORMAL = (math.exp(0.5) - 1) / (math.e - 1)
RANKS = 6 / math.pi * math.asin(0.25)
# Rule -> world -> the truth, what draws once and gives an interval, and numbers of units.
PLANNED = {
    "words": {
        "mean of normal words": (0, partial(of_words, normal), *FEW),
        "mean of skewed words": (0, partial(of_words, skewed), *FEW, 100),
        "WEAT effect size, random vectors": (0, of_vectors, *FEW),
        "share 0.02 of single items": (0.02, partial(of_share, 0.02, 0, 1), 25, 120),
        "share 0.5 of single items": (0.5, partial(of_share, 0.5, 0, 1), 25, 120),
        "share 0.9 of single items": (0.9, partial(of_share, 0.9, 0, 1), 25, 120),
        "share 0.3 of items in clusters of 1 to 8": (0.3, partial(of_share, 0.3, 0.2, 8), 8, 30),
    },
    "percentile": {
        "mean of normal items": (0, partial(of_difference, normal), 10, 25, 100),
        "mean of queries in groups of 1 to 4": (0, of_queries, 20, 60),
    },
    "clusters": {
        "mean of normal documents of 1 to 8 tokens": (0, partial(of_documents, normal), *FEW),
        "mean of skewed documents of 1 to 8 tokens": (0, partial(of_documents, skewed), *FEW),
        "correlation 0.5 of normal words": (0.5, partial(of_pairs, np.positive), 8, 25, 100),
        "correlation of lognormal words": (LOGNORMAL, partial(of_pairs, np.exp), 25),
        "rank correlation of lognormal words": (
            RANKS,
            partial(of_pairs, np.exp, method="spearman"),
            25,
        ),
        "kappa 0.5 of 2 raters": (0.5, partial(of_raters, 2), 40),
        "kappa 0.5 of 5 raters": (0.5, partial(of_raters, 5), 40),
        "log odds of independent counts": (0, partial(of_counts, 0), 20),
        "log odds of counts in bursts": (0, partial(of_counts, 0.1), 20),
    },
    "exact": {
        "alpha of 8 parts, normal": (8 / 9, partial(of_parts, normal), 8, 25),
        "alpha of 8 parts, skewed": (8 / 9, partial(of_parts, skewed), 25),
    },
}
WORLDS = [
    World(rule, name, n, truth, ends)
    for rule, worlds in PLANNED.items()
    for name, (truth, ends, *sizes) in worlds.items()
    for n in sizes
]


def counted(world, simulations):
    """The row of a world: how many intervals hold the truth, and their mean width."""
    generators = (identity_generator(number, *world[:3]) for number in range(simulations))
    low, high = np.transpose([world.ends(random, world.n) for random in generators])
    held, known = int(((low <= world.truth) & (world.truth <= high)).sum()), np.isfinite(low).sum()
    ends = stats.binomtest(held, int(known)).proportion_ci()
    shares = {"coverage": held / known, "coverage_low": ends.low, "coverage_high": ends.high}
    counts = dict(zip(("rule", "world", "n"), world, strict=False)) | {"simulations": known}
    return counts | shares | {"mean_width": np.nanmean(high - low)}
