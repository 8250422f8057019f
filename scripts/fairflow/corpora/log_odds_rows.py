"""Log odds ratios of co-occurrence, of the queries of two target sets and two attribute sets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import Any

import numpy as np

from fairflow.corpora.cooccurrence import SubcorpusCounts
from fairflow.corpora.draws import Drawn
from fairflow.queries.lookup import SetLookup
from fairflow.queries.query import Query
from fairflow.statistics.bootstrap import resample
from fairflow.statistics.counts import log_odds, log_odds_ratios
from fairflow.statistics.intervals import normal_p, resampled_interval, student_interval
from fairflow.statistics.resampling_statistic import Measures, Weights, WordStatistic
from fairflow.vectors.query_vectors import WordVectors, stratum_of

COUNTS = ("count_11", "count_12", "count_21", "count_22")
METRIC, EMBEDDING = "log_odds_ratio", "counts"
# That of words without any association needs no shuffled texts.
FAIR: dict[str, Any] = {"without_association": 0.0}
# Samples of documents, whose standard deviation is then known to 5 %, and of words.
DRAWS, WORD_DRAWS = 200, 1_000


def sets_of(counts: SubcorpusCounts, query: str) -> dict[str, list[SetLookup]]:
    """The targets and the attributes of a query, looked up among the words of a subcorpus."""
    return {role: [SetLookup(**each) for each in sets] for role, sets in counts.sets[query].items()}


def log_odds_rows(counts: SubcorpusCounts, seed: int, level: float) -> Iterator[Drawn]:
    """The log odds ratio of each query with two sets of either role, with its draws.

    Words of both target sets count in both, and words that are too rare for a vector count too.
    """
    weights = np.stack([counts.weights("documents", number, seed) for number in range(DRAWS)])
    for query in counts.sets:
        sets = sets_of(counts, query)
        if all(len(of_role) == 2 for of_role in sets.values()):
            yield _drawn(counts, query, [*chain(*sets.values())], weights, seed, level)


def _drawn(
    counts: SubcorpusCounts,
    query: str,
    sets: Sequence[SetLookup],
    weights: np.ndarray,
    seed: int,
    level: float,
) -> Drawn:
    words, names = [each.words for each in sets], [each.name for each in sets]
    key = EMBEDDING, METRIC, query, Query(words[:2], words[2:], names[:2], names[2:]).query_name
    if empty := [each.name for each in sets if not each.found]:
        reason = f"no document holds a word of {', '.join(empty)}"
        return Drawn(key, math.nan, counts.n_clusters, reason, counts.cluster, **FAIR)
    none = np.empty(0)
    strata = [
        stratum_of(WordVectors(each.name, (*each.found,), each.form_of, none, each.words))
        for each in sets
    ]
    roles, sizes = (strata[:2], strata[2:]), [*map(len, strata)]
    pairs = counts.between(*([*chain(*(one.names for one in role))] for role in roles))
    cell = np.add.outer(np.repeat([0, 2], sizes[:2]), np.repeat([0, 1], sizes[2:])).ravel()
    cells = ((np.arange(4)[:, np.newaxis] == cell).astype(int) @ pairs).T
    table = (pairs @ counts.weights("seeds", 0, seed)).reshape(sum(sizes[:2]), -1)
    total = cells[: counts.n_blocks].sum(axis=0)
    value, error, reason = log_odds(total)
    low, high = student_interval(value, error, level=level)
    resampled = resample(LogOddsStatistic(*roles, table), WORD_DRAWS, seed)
    over_words = resampled.draws_both[METRIC]
    ends = resampled_interval(value, over_words, resampled.left_out[METRIC], level)
    return Drawn(
        key,
        value,
        counts.n_clusters,
        reason,
        counts.cluster,
        documents=log_odds_ratios(weights @ cells),
        shuffled=log_odds_ratios(cells[counts.n_blocks :]),
        words=over_words,
        analytic=(error, low, high, normal_p(value, error)),
        more={"low_words": ends.low, "high_words": ends.high}
        | dict(zip(COUNTS, total.tolist(), strict=True)),
        **FAIR,
    )


@dataclass(frozen=True)
class LogOddsStatistic(WordStatistic):
    """The log odds ratio for weighted words.

    Attributes
    ----------
    table : co-occurrences, (words of the target sets, words of the attribute sets).
    """

    table: np.ndarray

    def measures(self, targets: Weights, attributes: Weights | None = None) -> Measures:
        """The ratio, defined in every draw, see `log_odds_ratios`."""
        sizes = [len(stratum) for stratum in self.attributes]
        given = attributes or [np.ones((1, size)) for size in sizes]
        columns = zip(np.split(self.table, sizes[:1], axis=1), given, strict=True)
        counts = [
            ((first @ part) * second).sum(axis=1)
            for first, (part, second) in product(targets, columns)
        ]
        return {METRIC: log_odds_ratios(np.stack(np.broadcast_arrays(*counts), axis=-1))}
