"""Time tests and intervals, and the p-value of WEFE; `make bench` runs it.

Times are CPU times on one thread, the smallest of several runs, with the vectors at hand. WEFE is
run with few permutations and scaled to as many as fairflow draws.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import Any

import numpy as np
from cost import fastest
from gensim.models import KeyedVectors
from oracle.live.peer import DOWNLOADS, ONE_THREAD, run_wefe, word_sets
from oracle.pinned import model_file
from threadpoolctl import threadpool_limits

from fairflow import Query, WordEmbeddingModel
from fairflow.metrics import metric_class
from fairflow.queries.lookup import Lookup
from fairflow.statistics.outcome import Outcome
from fairflow.statistics.permutation import permutation_test
from fairflow.statistics.uncertainty import Statistics, quantify
from fairflow.vectors.query_vectors import WordVectors

PERMUTATIONS = 10_000
THEIR_PERMUTATIONS = 100
DIMS = 300
# Metric -> numbers of target and attribute sets, parameters.
METRICS = {
    "weat": ((2, 2), {}),
    "mac": ((2, 2), {}),
    "rnd": ((2, 1), {}),
    "ect": ((2, 1), {}),
    "ripa": ((2, 1), {}),
    "rnsb": ((2, 2), {"n_iterations": 10, "random_state": 1}),
}
# What it is called -> words of a target set, attribute words in all for metrics of one set and
# for metrics of two.
SIZES = {
    "8+8 words": (8, 8, 16),
    "25+25 words": (25, 25, 50),
    "8+8 words, 2,400 attributes": (8, 2_400, 2_400),
}


def seconds_of(function: Callable[[], Any], runs: int = 5) -> float:
    """The smallest CPU time of several runs."""
    return fastest(function, runs)["cpu"]


def row(what: str, seconds: float, remark: str = "") -> None:
    """One line of the table."""
    print(f"{what:<62}{seconds:>12.5f}  {remark}", flush=True)


def beside_wefe(python: str) -> None:
    """The p-value of WEAT 7, 8 + 8 words, by random permutations."""
    sets = word_sets()
    targets = [sets["weat:math"], sets["weat:arts"]]
    attributes = [sets["weat:male_terms"], sets["weat:female_terms"]]
    query = {"target_sets": targets, "attribute_sets": attributes}
    path = model_file(DOWNLOADS)
    theirs = _wefe_seconds(python, path, query)
    model = WordEmbeddingModel(KeyedVectors.load(str(path)), "model")
    found = model.look_up(Query(**query), Lookup())

    def ours() -> None:
        statistic = metric_class("weat")().compute(*found.word_vectors()).resampling()
        permutation_test(statistic, generator(), method="approximate", permutations=PERMUTATIONS)

    seconds = seconds_of(ours)
    row(
        f"WEFE, {THEIR_PERMUTATIONS} permutations times {PERMUTATIONS // THEIR_PERMUTATIONS}",
        theirs,
    )
    row(
        f"WEAT, {PERMUTATIONS:,} random permutations of 8+8 words",
        seconds,
        f"{theirs / seconds:,.0f}x faster (10,000x)",
    )


def _wefe_seconds(python: str, path: Any, query: dict[str, Any]) -> float:
    """CPU time of WEFE for as many permutations, scaled, the score itself subtracted."""
    p_value = {"calculate_p_value": True, "p_value_iterations": THEIR_PERMUTATIONS}
    jobs = [{"metric": "WEAT", "query": query, "params": own, "runs": 2} for own in ({}, p_value)]
    without, with_p = (result["cpu"] for result in run_wefe(python, path, jobs, "float32"))
    return (with_p - without) * PERMUTATIONS / THEIR_PERMUTATIONS


def generator() -> np.random.Generator:
    """The same one for every run."""
    return np.random.default_rng(1)


def outcome(metric: str, words: int, attributes: int) -> Outcome:
    """A metric on random vectors."""
    (n_targets, n_attributes), parameters = METRICS[metric]
    targets = [random_set(f"t{i}", words) for i in range(n_targets)]
    against = [random_set(f"a{i}", attributes // n_attributes) for i in range(n_attributes)]
    return metric_class(metric)().compute(targets, against, **parameters)


def random_set(name: str, words: int) -> WordVectors:
    """Random vectors, those of a name always the same."""
    random = np.random.default_rng(list(name.encode()))
    names = tuple(f"{name}_{i}" for i in range(words))
    return WordVectors(name, names, names, random.standard_normal((words, DIMS)), names)


def permutations() -> None:
    """Exact tests of 12,870 partitions, and a million random ones."""
    small = {name: outcome(name, 8, 16).resampling() for name in ("weat", "rnd", "rnsb")}
    for name, what in (
        ("weat", "sums counted"),
        ("rnd", "partitions listed"),
        ("rnsb", "partitions listed"),
    ):
        seconds = seconds_of(lambda statistic=small[name]: permutation_test(statistic, generator()))
        row(f"{name.upper()}, exact p of 12,870 partitions, {what}", seconds, "s (at most 0.02)")
    large = outcome("weat", 25, 50).resampling()
    drawn = {"method": "approximate", "permutations": 1_000_000}
    seconds = seconds_of(lambda: permutation_test(large, generator(), **drawn), 2)
    row("WEAT, 1,000,000 random permutations of 25+25 words", seconds, "s (at most 2)")
    seconds = seconds_of(lambda: permutation_test(large, generator()), 2)
    row("WEAT, all 1.3e14 partitions of 25+25 words, binned", seconds, "s")


def everything() -> None:
    """All columns of a cell at the default settings, null band included."""
    settings = Statistics()
    for what, (words, one, two) in SIZES.items():
        for metric, ((n_targets, n_attributes), _) in METRICS.items():
            result = outcome(metric, words, one if n_attributes == 1 else two)
            per_word = -(-settings.random_words // (n_targets * words))
            others = [random_set(f"r{i}", words * per_word) for i in range(n_targets)]
            cell = ("model", metric, "query", "digest")

            def work(
                result: Outcome = result,
                others: list[WordVectors] = others,
                per_word: int = per_word,
                cell: tuple[str, ...] = cell,
            ) -> None:
                random = result.resampling(others), per_word, None
                statistic = result.resampling()
                quantify(statistic, result.measures, settings, 1, cell, random_words=random)

            row(f"{metric.upper()}, all columns, {what}", seconds_of(work, 2), "s")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("python", help="the Python of WEFE's environment")
    options = parser.parse_args()
    print(f"{'CPU seconds':<62}{'':>12}  goal in brackets")
    with threadpool_limits(1):
        beside_wefe(options.python)
        permutations()
        everything()


if __name__ == "__main__":
    os.environ.update(ONE_THREAD)
    main()
