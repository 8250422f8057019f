"""Log odds ratios of co-occurrence, of the queries of two target sets and two attribute sets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import TYPE_CHECKING

import numpy as np

from fairflow.corpora.subcorpus_counts import SubcorpusCounts
from fairflow.queries.lookup import SetLookup
from fairflow.queries.query import Query
from fairflow.statistics.bootstrap import interval, resample
from fairflow.statistics.log_odds import log_odds, log_odds_ratios, weighted_counts
from fairflow.statistics.resampling_statistic import WordStatistic
from fairflow.studies.corpora.draws import Drawn
from fairflow.vectors.query_vectors import WordVectors, stratum_of

if TYPE_CHECKING:
    pass

COUNTS = ("count_11", "count_12", "count_21", "count_22")
METRIC, EMBEDDING = "log_odds_ratio", "counts"
# Of documents and of words: counts cost little.
DRAWS = 1_000


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
            yield _drawn(counts, query, sets, weights, seed, level)


def _drawn(
    counts: SubcorpusCounts,
    query: str,
    sets: Mapping[str, Sequence[SetLookup]],
    weights: np.ndarray,
    seed: int,
    level: float,
) -> Drawn:
    every = [*chain(*sets.values())]
    words, names = [each.words for each in every], [each.name for each in every]
    key = EMBEDDING, METRIC, query, Query(words[:2], words[2:], names[:2], names[2:]).query_name
    if empty := [each.name for each in every if not each.found]:
        reason = f"no document holds a word of {', '.join(empty)}"
        return Drawn(key, math.nan, counts.documents, reason)
    strata = [stratum_of(_without_vectors(each)) for each in every]
    sizes = [len(stratum) for stratum in strata]
    pairs = counts.between(*([*chain(*(s.names for s in of))] for of in (strata[:2], strata[2:])))
    targets, attributes = (np.repeat(np.eye(2), of, axis=1) for of in (sizes[:2], sizes[2:]))
    cells = np.stack(
        [np.outer(*pair).ravel() @ pairs for pair in product(targets, attributes)], axis=1
    )
    documents, shuffled = np.split(cells, [counts.n_blocks])
    full = log_odds(documents.sum(axis=0), level)
    table = np.asarray(pairs[:, : counts.n_blocks].sum(axis=1)).reshape(sum(sizes[:2]), -1)
    statistic = LogOddsStatistic(strata[:2], strata[2:], table)
    resampled = resample(statistic, DRAWS, seed)
    over_words = resampled.draws_both[METRIC]
    low_high = interval(full.value, over_words, resampled.left_out[METRIC], level)
    return Drawn(
        key,
        full.value,
        counts.documents,
        full.reason or "",
        documents=log_odds_ratios(weights @ cells),
        shuffled=log_odds_ratios(shuffled),
        words=over_words,
        words_interval=(low_high.low, low_high.high),
        more={
            "analytic_error": full.standard_error,
            "analytic_low": full.low,
            "analytic_high": full.high,
            "analytic_p": full.p_value,
            **dict(zip(COUNTS, documents.sum(axis=0).tolist(), strict=True)),
        },
    )


@dataclass(frozen=True)
class LogOddsStatistic(WordStatistic):
    """The log odds ratio for weighted words.

    Attributes
    ----------
    table : co-occurrences, (words of the target sets, words of the attribute sets).
    """

    table: np.ndarray

    def measures(
        self, targets: Sequence[np.ndarray], attributes: Sequence[np.ndarray] | None = None
    ) -> dict[str, np.ndarray]:
        """The ratio, defined in every draw, see `log_odds_ratios`."""
        sizes = [len(stratum) for stratum in self.attributes]
        given = attributes or [np.ones((1, size)) for size in sizes]
        columns = zip(np.split(self.table, sizes[:1], axis=-1), given, strict=True)
        counts = [
            weighted_counts(part, first, second)
            for first, (part, second) in product(targets, columns)
        ]
        return {METRIC: log_odds_ratios(np.stack(np.broadcast_arrays(*counts), axis=-1))}


def _without_vectors(account: SetLookup) -> WordVectors:
    """A set by its words alone, for its stratum."""
    forms = tuple(account.found)
    none = np.empty((len(forms), 0))
    return WordVectors(account.name, forms, account.form_of, none, account.words)
