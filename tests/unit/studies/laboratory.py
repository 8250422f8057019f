"""From vectors, or values of items, to the claims of a study, without Snakemake.

The numbers are the library's, of fewer draws than a run has; tests of more than 28 words take the
normal distribution of `exchange_p`.
"""

from dataclasses import replace
from itertools import permutations
from math import comb
from typing import NamedTuple

import numpy as np
import pandas as pd

from fairflow.metrics.weat import WEATStatistic
from fairflow.scores.ranked import PRIMARY
from fairflow.statistics.bootstrap import resample
from fairflow.statistics.intervals import percentile_interval, resampled_interval
from fairflow.statistics.item_bootstrap import observed, resampled
from fairflow.statistics.paired_difference import pair, paired_difference
from fairflow.statistics.permutation import exchange_p
from fairflow.statistics.uncertainty import Statistics, null_band, quantify, random_scores
from fairflow.studies.aggregation import Rules
from fairflow.studies.before_after import before_after, size_changes
from fairflow.studies.claims.claim import Results
from fairflow.studies.claims.study_claims import stated
from fairflow.studies.comparability import control_table, with_controls
from fairflow.studies.distinct_tests import adjust_families
from fairflow.studies.model_comparison import ranked_models
from fairflow.vectors.query_vectors import WordVectors

METRIC, SIZE = "weat_es", "effect_size"
DIRECTIONS = {METRIC: {"signed": True, "larger_is_fairer": False}}
FEW = Statistics(
    exact_up_to=2_000, permutations=2_000, resamples=500, joint_draws=500, random_sets=200
)
# Of several queries p-values are adjusted, and none is below 2 in as many.
PAIRED = replace(FEW, resamples=1_000, joint_draws=500)
# Random words for each target word, of those of a model that are in no query.
EACH = 4
UNKNOWN = ("null_band_low", "null_band_high", "ci_low", "ci_high")
NAMES = ("subquery", "subquery_digest", "query_label")


class Query(NamedTuple):
    """The numbers of the words of four sets, and the criterion; "" of a control query."""

    criterion: str
    sets: tuple


class Model(NamedTuple):
    """Vectors of the words of queries, and of other words."""

    vectors: np.ndarray
    others: np.ndarray


def similarities(model):
    """Cosines of 3,000 pairs of other words."""
    left, right = np.random.default_rng(0).integers(0, len(model.others), (2, 3_000))
    unit = model.others / np.linalg.norm(model.others, axis=1, keepdims=True)
    return np.einsum("ij,ij->i", unit[left], unit[right])


def word_vectors(vectors, label):
    words = tuple(f"{label} {number}" for number in range(len(vectors)))
    return WordVectors(label, words, words, vectors, words)


def statistic(vectors, query, targets=None):
    """WEAT of words, or of others in the place of the targets. Words are named by their numbers."""
    of_sets = [word_vectors(vectors[list(n)], str(min(n))) for n in query.sets]
    return WEATStatistic.of(targets or of_sets[:2], of_sets[2:], {SIZE: 0})


def tested(vectors, query):
    """The statistic, the effect size and its p."""
    of = statistic(vectors, query)
    each = of.combined([table.mean(axis=1) for table in of.tables])
    p = exchange_p(*np.split(each, [len(query.sets[0])]))
    return of, float(of.measures(of.observed)[SIZE][0]), p


def scored(name, model, key, query, seed):
    """A row of a study's scores."""
    of, value, p = tested(model.vectors, query)
    drawn, random = resample(of, FEW.resamples, seed), np.random.default_rng([seed, *key.encode()])
    ends = resampled_interval(value, drawn.draws[SIZE], drawn.left_out[SIZE][:2])
    sizes = [len(numbers) for numbers in query.sets]
    others = model.others[random.permutation(len(model.others))[: EACH * sum(sizes[:2])]]
    others = [word_vectors(v, f"r{n}") for n, v in enumerate(np.split(others, [EACH * sizes[0]]))]
    null = random_scores(statistic(model.vectors, query, others), EACH, FEW.random_sets, random)
    band = null_band(value, null[SIZE])
    return {
        "model": name, "query": key, "criterion": query.criterion, "value": value, "p_value": p,
        "p_smallest": min(1.0, 2 / comb(sum(sizes[:2]), sizes[0])),
        "ci_low": ends.low, "ci_high": ends.high,
        **band,
        "value_normalized": value, "draws": drawn.draws_both[SIZE].tolist(), "n_words": sum(sizes),
    }  # fmt: skip


def control(name, model, key, query):
    _, value, p = tested(model.vectors, query)
    told = {"model": name, "query": key, "value": value, "p_value": p, "metric": METRIC}
    told |= {PRIMARY: True, "alternative": "two-sided", "statistics": "ok", "oov_words": []}
    return told | {"reason": None, "statistics_note": None}


def as_scores(rows, controls=(), **columns):
    """A study's table of scores, with adjusted p and what the controls say; and the controls."""
    usual = {"metric": METRIC, "measure": SIZE, PRIMARY: True, "status": "ok", "fair": 0.0}
    table = pd.DataFrame(rows).assign(**usual | columns)
    table = table.assign(**dict.fromkeys(NAMES, table["query"]), reason=None)
    checked = control_table(pd.DataFrame([*controls]), {})
    table = with_controls(table, checked)
    return table.join(adjust_families(table, ("model",))), checked


def qualities(models, ratings, seed):
    """How cosines agree with ratings, compared between models on the same pairs."""
    given = {name: similarities(model) for name, model in models.items()}
    drawn = {
        name: np.append(
            observed("pearson", ratings, of), resampled("pearson", ratings, of, 200, seed)
        )
        for name, of in given.items()
    }
    rows = []
    for model, other in permutations(models, 2):
        value, *draws = drawn[model] - drawn[other]
        low, high = percentile_interval(np.array(draws), 0.95)
        named = {"model": model, "other": other, "subject": "pairs", "n": len(ratings)}
        rows.append(named | {"difference": value, "difference_low": low, "difference_high": high})
    return pd.DataFrame(rows).assign(value=0.5)


def said(models, queries, groups, seed, ratings=None):
    """The claims of a study of vectors: name -> `Model`, name -> `Query`."""
    asked = [(*one, *of) for one in models.items() for of in queries.items()]
    controls = [control(*one) for one in asked if not one[-1].criterion]
    scores, checked = as_scores(
        [scored(*one, seed) for one in asked if one[-1].criterion], controls
    )
    how = "abs_avg", DIRECTIONS, 0.5
    shared = {"query_groups": groups, "overlaps": sets_of(queries)}
    _, frames = ranked_models(scores, Rules(*how, **shared))
    frames |= {"scores": scores, "controls": checked}
    if ratings is not None:
        frames["quality"] = qualities(models, ratings, seed)
    return claims_of(frames, signed=[METRIC])


def sets_of(queries):
    return {key: query.sets for key, query in queries.items() if query.criterion}


def claims_of(frames, **settings):
    names = {*frames["scores"]["model"], *frames["scores"]["query"], *frames["scores"]["metric"]}
    return stated("A study", Results(frames, {name: name for name in names}, **settings))


def changed(before, after, queries):
    """The claims of a study of vectors before and after."""
    rows, pairs = [], []
    for key, query in queries.items():
        both = [tested(vectors, query) for vectors in (before, after)]
        told = {"query": key, "criterion": query.criterion} | dict.fromkeys(UNKNOWN, np.nan)
        for name, (_, value, p) in zip(("before", "after"), both, strict=True):
            rows.append(told | {"model": name, "value": value, "p_value": p})
        (first, value, _), (second, other, _) = both
        found = paired_difference(pair(first, second, SIZE), value, other, PAIRED, 0)
        named = {"before_model": "before", "model": "after", "metric": METRIC, "query": key}
        named |= {"subquery": key, "subquery_digest": key, "measure": SIZE, "excluded": []}
        pairs.append({n: x for n, x in found.items() if n != "resampled"} | named)
    scores, _ = as_scores(rows, value_normalized=np.nan, n_words=0)
    pairs = pd.DataFrame(pairs)
    table = before_after(scores, pairs, "before", ["after"], DIRECTIONS, {METRIC: False})
    sizes = size_changes(table, pairs, DIRECTIONS, FEW.level, sets_of(queries))
    frames = {"scores": scores, "before_after": pd.concat([table, sizes])}
    return claims_of(frames, signed=[METRIC])


def of_items(values):
    """The claims of a study of a benchmark: values between -50 and 50, (clusters, items)."""
    # Late: only worlds of items need that capability.
    from fairflow.language_models.items.text_items import SentenceItem
    from fairflow.language_models.scoring.item_metric import Measured, item_scores, mean_of

    lines = {f"{i} {j}": x for (i, j), x in np.ndenumerate(values)}
    items = [SentenceItem(one, "", cluster=one.split()[0]) for one in lines]
    scores = item_scores("pairs", "mean", items, lambda one: {"mean": lines[one.item_id]})
    how = {"signs": scores.values, "tested": "mean", "tested_measures": ("mean",)}
    measured = Measured(scores, lambda weights: {"mean": mean_of(scores.values, weights)}, **how)
    found = quantify(measured.statistic, measured.measures, FEW, 0, ("pairs",))["mean"]
    row = {"model": "model", "query": "pairs", "criterion": "Items", **measured.numbers("mean")}
    row |= {name: getattr(found, name) for name in ("p_value", "ci_low", "ci_high")}
    row |= {"value": measured.measures["mean"]}
    scores, _ = as_scores([row], metric="pairs", measure="mean")
    reading = {"fair": 0.0, "above": "stereotypes", "published_shift": 0}
    settings = {"of_others": ["pairs"], "readings": {"pairs": reading}}
    return claims_of({"scores": scores}, signed=["pairs"], **settings)
