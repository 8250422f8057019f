"""How often the intervals of each rule hold a known truth, and how wide they are.

A world draws words, items or documents of a known population, and gets the library's interval.
tests/slow/test_coverage_of_rules.py writes workflow/report/coverage.csv with it.
"""

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from runpy import run_path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats
from word_sets import Mean, numbered, sets_of, stratum
from worlds_of_intervals import RESAMPLES, normal, of_statistic, skewed

from fairflow.capabilities import CAPABILITIES
from fairflow.metrics.weat import WEAT
from fairflow.statistics.correlation import correlation_with_interval
from fairflow.statistics.counts import log_odds
from fairflow.statistics.intervals import (
    percentile_interval,
    student_interval,
)
from fairflow.statistics.item_bootstrap import mean_resamples, resampled
from fairflow.statistics.reliability import cohen_kappa, cronbach_alpha, fleiss_kappa
from fairflow.statistics.seeds import identity_generator
from fairflow.studies.aggregation import aggregate_interval


class World(NamedTuple):
    """What is drawn, and the truth."""

    rule: str
    name: str
    n: int
    truth: float
    ends: Callable[[np.random.Generator, int], tuple[float, float]]


def of_words(draw, random, n):
    values = draw(random, n)
    statistic = Mean((stratum(*numbered("w", n)),), values)
    return of_statistic(float(values.mean()), statistic, "mean", random)


def of_vectors(random, n):
    sets = sets_of((n,) * 4, random.integers(2**31), dims=50)
    outcome = WEAT().compute(sets[:2], sets[2:])
    value = outcome.measures["effect_size"]
    return of_statistic(value, outcome.resampling(), "effect_size", random)


def of_difference(draw, random, n):
    seed = int(random.integers(2**31))
    return percentile_interval(resampled("mean", np.zeros(n), draw(random, n), RESAMPLES, seed))


def of_queries(random, n):
    """A mean over queries in n groups of 1 to 4, which have much in common."""
    group = np.repeat(np.arange(n), random.integers(1, 5, n))
    values = (normal(random, n)[group] + normal(random, len(group)))[np.newaxis]
    return percentile_interval(mean_resamples(values, group.tolist(), random)[0])


EFFECTS = np.repeat([0.2, 0.5, 0.8, 1.1], 2)


def of_sizes(effects, random, n):
    """The mean size of eight effects, each on n words."""
    words = random.normal(effects[:, np.newaxis], 1, (8, n))  # (queries, words)
    picked = random.integers(0, n, (RESAMPLES, n))
    draws = words[:, picked].mean(axis=2)  # (queries, resamples)
    counted = pd.DataFrame({"value": words.mean(axis=1), "query": range(8), "draws": [*draws]})
    value = counted["value"].abs().mean()
    return aggregate_interval(value, counted, "abs_avg", {})


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
    },
    "percentile": {
        "mean of normal items": (0, partial(of_difference, normal), 10, 25, 100),
        "mean of queries in groups of 1 to 4": (0, of_queries, 20, 60),
        "mean size of 8 associations": (EFFECTS.mean(), partial(of_sizes, EFFECTS), 8, 25),
        "mean size of 8 associations, all 0": (0, partial(of_sizes, np.zeros(8)), 25),
    },
    "clusters": {
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
# Those of capabilities are in a file of this name in the folder of their tests.
FOLDERS = [Path(__file__).parents[1] / name for name in CAPABILITIES]
for path in (folder / "coverage_worlds.py" for folder in FOLDERS):
    for rule, worlds in (run_path(str(path))["PLANNED"] if path.is_file() else {}).items():
        PLANNED[rule] |= worlds
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
