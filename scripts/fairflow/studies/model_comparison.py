"""How clearly the models of a study differ, on the same (sub-)queries and the same words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fairflow.errors import FairflowError
from fairflow.statistics import overlap, rank_tests
from fairflow.statistics.intervals import percentile_interval
from fairflow.studies import ranking as places
from fairflow.studies.aggregation import Rules, aggregate, comparable, groups_to_compare, rule_for
from fairflow.studies.comparability import (
    ALONE,
    NOTES,
    UNDEFINED,
    Unranked,
    no_rivals,
    unfairness,
)
from fairflow.studies.distinct_tests import adjusted_once
from fairflow.studies.published.comparison import Key, Number, compare_published
from fairflow.studies.published.publication import printed_scores, read_published
from fairflow.studies.ranking import tie_numbers
from fairflow.studies.tables import columns_of


class ComparableScores(NamedTuple):
    """The scores of one criterion and metric on which models are compared.

    Attributes
    ----------
    models : all. comparable : those that are compared, two or more,
        or none. excluded : the others, with the reason.
    values : (comparable models, common queries), without NaN.
    groups : of the common queries: those of one group share words.
    draws : (comparable models, common queries that have draws, draws), NaN where undefined.
    shares : (queries, queries) that have draws, see `fairflow.statistics.overlap.matrix`.
    note : why numbers that need draws are missing or rest on fewer queries, else empty.
    """

    models: tuple[str, ...]
    comparable: tuple[str, ...]
    excluded: dict[str, Unranked]
    values: np.ndarray
    groups: np.ndarray
    draws: np.ndarray
    shares: np.ndarray
    note: str


def _comparable_scores(
    name: str,
    group: pd.DataFrame,
    rules: Rules,
    alone: Mapping[str, Unranked],
    unranked: str | None,
) -> ComparableScores:
    """What may be compared of a criterion and metric; by one that is `unranked` nothing."""
    distinct, values, compared, common, excluded = comparable(group, rules.minimum_coverage, alone)
    if unranked or common.empty or len(compared) == 1:
        status = unranked or (UNDEFINED if common.empty else ALONE)
        excluded = excluded | dict.fromkeys(compared, Unranked(status, NOTES[status]))
        compared, common = [], common[:0]
    chosen = values.loc[common, compared].to_numpy(dtype=float).T
    first = distinct.drop_duplicates("subquery_digest").set_index("subquery_digest")
    group_of = first["query"].map(rules.query_groups).fillna(first.index.to_series())
    groups = group_of.loc[common].to_numpy(dtype=object)
    shares = overlap.matrix([*first.loc[common, "query"]], rules.overlaps)
    cells = np.full(chosen.shape, None, dtype=object)
    if "draws" in distinct:
        lists = distinct.pivot(index="subquery_digest", columns="model", values="draws")
        cells = lists.loc[common, compared].to_numpy(dtype=object).T
    # The queries that have a list for every model.
    has_draws = np.array([[c is not None and np.size(c) > 0 for c in row] for row in cells])
    complete = has_draws.reshape(cells.shape).all(axis=0)
    draws = _joint_draws(name, cells[:, complete])
    models, note = tuple(dict.fromkeys(group["model"])), _note(chosen, draws)
    of_draws = draws, shares[np.ix_(complete, complete)], note
    return ComparableScores(models, tuple(compared), excluded, chosen, groups, *of_draws)


def _joint_draws(name: str, complete: np.ndarray) -> np.ndarray:
    """Lists for every model: (models, queries) -> (..., draws)."""
    if complete.size == 0:
        return np.empty((*complete.shape[:1], 0, 0))
    lengths = sorted({len(cell) for cell in complete.flat})
    if len(lengths) > 1:
        raise FairflowError(
            f"draws of {name}: found lists of {', '.join(map(str, lengths))} numbers, expected "
            "equal lengths, because draws of different rows belong together. Score the study again "
            "with one setting."
        )
    return np.array([[np.asarray(c, dtype=float) for c in row] for row in complete])


def _note(values: np.ndarray, draws: np.ndarray) -> str:
    n_common = values.shape[1]
    n_queries, n_draws = draws.shape[1:]
    if n_queries == 0:
        return "the scores hold no draws"
    parts = []
    if n_queries < n_common:
        parts.append(f"{n_common - n_queries} of {n_common} queries have no draws and are left out")
    undefined = int(np.isnan(draws).any(axis=(0, 1)).sum())
    if undefined:
        parts.append(
            f"in {undefined} of {n_draws} draws some query is undefined and left out of the draw"
        )
    return "; ".join(parts)


NOT_TESTED = "Wilcoxon's test needs two groups of queries without common words, here 1"
_PLACE = ["criterion", "metric", "model"]
_COLUMNS = {
    "rank_probabilities": columns_of("rank_probabilities"),
    "rank_uncertainty": [*_PLACE, "expected_rank", "rank_low", "rank_high", "n_draws", "note"],
    "pairwise": columns_of("pairwise"),
}
_TEXT = {"criterion", "metric", "model", "other", "note"}
_COUNTS = {"place", "n_queries", "n_groups", "n_draws"}


class ModelComparison(NamedTuple):
    """Tables of a study, long, in the order of the study; a NaN has its reason in `note`.

    Attributes
    ----------
    rank_probabilities : criterion, metric, model, place (1 = fairest), probability; empty without
        draws.
    rank_uncertainty : criterion, metric, model, expected_rank, rank_low, rank_high (95%), n_draws,
        note.
    pairwise : criterion, metric, model, other; mean, other_mean, of sizes; difference of these in
        bias (above 0: model is the more biased one) and its interval over draws; p_fairer (that
        model is fairer than other, over draws), p_value (two-sided, of these draws), p_bh (adjusted
        over all pairs and criteria of the metric), wilcoxon_p (over groups of queries, missing for
        one group), wilcoxon_holm (adjusted over all tests of the table), n_queries, n_groups, note;
        both orders of every pair. Signed scores are compared by their absolute values, whatever
        the study aggregates: the mean of +0.5 and -0.5 is not 0.
    """

    rank_probabilities: pd.DataFrame
    rank_uncertainty: pd.DataFrame
    pairwise: pd.DataFrame


def compared_models(
    scores: pd.DataFrame,
    paths_to_published: Sequence[str | Path],
    paths_to_ranked: Sequence[str | Path],
    how: Mapping[str, Any],
    further: Iterable[tuple[Key, Number]] = (),
) -> dict[str, pd.DataFrame]:
    """A study's models ranked, and compared with each other and with published ones.

    Parameters
    ----------
    scores : the table of the study. paths_to_ranked : published scores that are ranked, too.
    how : comparison (further `Rules`), vectors, derived, incomparable, query_groups,
        overlaps, ranks_every, seed; and of published models stand_ins, absent, left_out, and
        ranked, the name of the file whose scores are ranked.
    further : numbers of capabilities that may be published, too.

    Returns
    -------
    The tables ranking, correlations, published, rank_probabilities and pairwise by the names of
    their files.
    """
    rules = Rules(**how["comparison"], **{key: how[key] for key in Rules._fields if key in how})
    printed = printed_scores(read_published(paths_to_ranked))
    aggregates, tables = ranked_models(scores, rules, printed, how["ranks_every"])
    numbers = read_published(paths_to_published)
    numbers = numbers[~numbers["model"].isin(how["left_out"])]
    published = compare_published(numbers, scores, aggregates, rules.directions, how, further)
    correlations = places.correlate_rankings(
        tables["ranking"], rank_tests.METHODS, rules.directions, how["seed"]
    )
    every = tables | {"published": published, "correlations": correlations}
    return {f"{name}.csv": table for name, table in every.items()}


def ranked_models(
    scores: pd.DataFrame,
    rules: Rules,
    published: pd.DataFrame = places.NOT_PUBLISHED,
    ranks_every: bool = False,
) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """The aggregates of a study, and its tables ranking, rank_probabilities and pairwise.

    Parameters
    ----------
    published, ranks_every : as for `ranking.rank_models`.
    """
    aggregates, compared = aggregate(scores, rules), compare_models(scores, rules)
    how = rules.directions, rules.incomparable, ranks_every
    ranking = places.rank_models(aggregates, published, *how)
    uncertain = compared.rank_uncertainty.rename(columns={"note": "draws_note"})
    key = ["source", "criterion", "metric", "model"]
    ranking = ranking.merge(uncertain.assign(source="computed"), "left", key)
    ranking = ranking.astype({"n_draws": "Int64"})
    rest = {name: getattr(compared, name) for name in ("rank_probabilities", "pairwise")}
    return aggregates, {"ranking": ranking, **rest}


def compare_models(scores: pd.DataFrame, rules: Rules) -> ModelComparison:
    """Rank probabilities from joint draws, and tests over queries, per criterion and metric.

    Tests are over groups of queries that share words, each with its mean: on vectors without any
    association queries that share words differ between models in the same direction.

    Models, (sub-)queries and the rule are those of `value_common` in `aggregate`: comparable models
    on the (sub-)queries that all of them define, equal ones once. Among models with the same
    vectors only one is compared, no derived model is, and no model by a metric of `incomparable`.

    Parameters
    ----------
    scores : a study's table; draws (lists as long as each other, aligned by index; None or empty
        without).

    Raises
    ------
    FairflowError : lists of draws differ in length.
    """
    rows: dict[str, list[tuple[Any, ...]]] = {name: [] for name in _COLUMNS}
    alone = no_rivals(scores, rules.vectors, rules.derived)
    for criterion, metric, group in groups_to_compare(scores):
        unranked, direction = rules.incomparable.get(metric), rules.directions[metric]
        chosen = _comparable_scores(f"{metric} in {criterion}", group, rules, alone, unranked)
        rule = rule_for(rules.aggregation, direction["signed"])
        totals = places.aggregated_draws(chosen.draws, rule)
        drawn = places.rank_distribution(unfairness(totals, direction))
        found = (
            _rank_probabilities(chosen, drawn),
            _rank_uncertainty(chosen, drawn),
            _pairwise(chosen, rule, direction),
        )
        for name, of_table in zip(_COLUMNS, found, strict=True):
            rows[name] += [(criterion, metric, *row) for row in of_table]
    tables = {name: _table(name, rows[name]) for name in _COLUMNS}
    return ModelComparison(**tables | {"pairwise": _adjusted(tables["pairwise"])})


Rows = Iterator[tuple[Any, ...]]


def _table(name: str, rows: list[tuple[Any, ...]]) -> pd.DataFrame:
    columns = _COLUMNS[name]
    types = {c: object if c in _TEXT else int if c in _COUNTS else float for c in columns}
    return pd.DataFrame(rows, columns=columns).astype(types)


def _rank_probabilities(chosen: ComparableScores, drawn: places.RankDistribution) -> Rows:
    if drawn.n_draws:
        for (row, place), probability in np.ndenumerate(drawn.probabilities):
            yield chosen.comparable[row], place + 1, probability


def _rank_uncertainty(chosen: ComparableScores, drawn: places.RankDistribution) -> Rows:
    ranks = zip(drawn.expected, drawn.low, drawn.high, strict=True)
    known = dict(zip(chosen.comparable, ranks, strict=True))
    for model in chosen.models:
        if model in known:
            yield model, *known[model], drawn.n_draws, chosen.note
        else:
            yield model, *[np.nan] * 3, 0, chosen.excluded[model].note


def _by_group(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Means over the queries of each group: (models, queries) -> (models, groups)."""
    names = list(dict.fromkeys(groups))
    means = [values[:, groups == name].mean(axis=1) for name in names]
    return np.stack(means, axis=1) if names else values


def _pairwise(chosen: ComparableScores, rule: str, direction: Mapping[str, bool]) -> Rows:
    sizes = rule if not direction["signed"] else f"abs_{rule.removeprefix('abs_')}"
    means = places.aggregated_draws(chosen.values[:, :, np.newaxis], sizes)[:, 0]
    biases, each = unfairness(means, direction), unfairness(chosen.draws, direction)
    draws = unfairness(places.aggregated_draws(chosen.draws, sizes), direction)
    per_group = _by_group(unfairness(chosen.values, direction), chosen.groups)
    n_groups = per_group.shape[1]
    for i, j in permutations(range(len(per_group)), 2):
        difference = per_group[min(i, j)] - per_group[max(i, j)]
        p = rank_tests.signed_rank_p(_steps(difference)) if n_groups else np.nan
        factor = overlap.widening(each[i] - each[j], chosen.shares)
        drawn = overlap.widened(draws[i] - draws[j], factor)
        of_pair = means[i], means[j], biases[i] - biases[j], *_of_draws(drawn)
        numbers = *of_pair, np.nan, p, np.nan, len(chosen.groups), n_groups
        yield chosen.comparable[i], chosen.comparable[j], *numbers, chosen.note


def _of_draws(differences: np.ndarray) -> tuple[float, float, float, float]:
    """Interval of differences, the share below 0, and the two-sided p-value; NaN without draws."""
    known = differences[~np.isnan(differences)]
    if known.size == 0:
        return (np.nan,) * 4
    low, high = percentile_interval(known)
    signs = _steps(known)
    below = (np.count_nonzero(signs < 0) + np.count_nonzero(signs == 0) / 2) / known.size
    # As many draws as there are tell nothing of smaller p-values.
    p = min(1.0, 2 * (min(below, 1 - below) * known.size + 1) / (known.size + 1))
    return low, high, below, p


def _adjusted(pairwise: pd.DataFrame) -> pd.DataFrame:
    """With p-values adjusted: over draws for each metric, over queries for the whole table."""
    pairs = map(frozenset, zip(pairwise["model"], pairwise["other"], strict=True))
    tests = [*zip(pairwise["criterion"], pairwise["metric"], pairs, strict=True)]
    # Both orders of a pair are one test.
    numbers = pd.Series([tests.index(test) for test in tests], pairwise.index, dtype=int)
    over_queries = adjusted_once(pairwise["wilcoxon_p"], numbers, rank_tests.holm).astype(float)
    over_draws = pairwise["p_value"].copy()
    for _, rows in pairwise.groupby("metric", sort=False):
        known = rows["p_value"].dropna()
        of_metric = adjusted_once(known, numbers[known.index], rank_tests.benjamini_hochberg)
        over_draws[known.index] = of_metric.astype(float)
    # A single difference has p = 1 whatever it is: it counts in the adjustment and is no result.
    untested = pairwise["n_groups"] == 1
    notes = [
        "; ".join(filter(None, [note, NOT_TESTED])) if is_untested else note
        for note, is_untested in zip(pairwise["note"], untested, strict=True)
    ]
    tested = {
        "p_bh": over_draws,
        "wilcoxon_p": pairwise["wilcoxon_p"].mask(untested),
        "wilcoxon_holm": over_queries.mask(untested),
    }
    return pairwise.assign(**tested, note=pd.Series(notes, pairwise.index, dtype=object))


def _steps(differences: np.ndarray) -> np.ndarray:
    """Differences as whole numbers in their order, with 0 for ties and equal ones for equal."""
    return np.sign(differences) * tie_numbers(np.append(0.0, np.abs(differences)))[1:]
