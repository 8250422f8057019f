"""Models before and after: how each score differs."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from fairflow.scores.ranked import ranked_rows
from fairflow.statistics import overlap
from fairflow.statistics.intervals import percentile_interval
from fairflow.statistics.rank_tests import ALPHA, holm
from fairflow.studies.comparability import GROWS_WITH_LENGTH, NOTES
from fairflow.studies.distinct_tests import adjusted_once
from fairflow.studies.tables import columns_of

# What became of an association.
SMALLER, LARGER, OTHER_SIGN = "smaller", "larger", "sign changed"
DIFFERS, NOT_DISTINGUISHABLE = "differs, not in size", "not distinguishable"
NOT_COMPARABLE, UNTESTED = "not comparable", "not tested"
VERDICTS = (SMALLER, LARGER, OTHER_SIGN, DIFFERS, NOT_DISTINGUISHABLE, NOT_COMPARABLE, UNTESTED)
# Values of vectors in single precision that are equal.
SAME_VALUE = 1e-5
NOT_IN_PAIRS = "answers to items are not resampled in pairs"

_KEY = ["model", "metric", "query", "subquery_digest"]
_NAMES = ["criterion", "query_label", "subquery", "measure"]
_OF_SCORES = ["value", "null_band_low", "null_band_high", "value_normalized"]
_ENDS = ("_low", "_high")
COLUMNS = columns_of("before_after")


def before_after(
    scores: pd.DataFrame,
    pairs: pd.DataFrame,
    before: str,
    after: Sequence[str],
    directions: Mapping[str, Mapping[str, bool]],
    scaling: Mapping[str, bool],
) -> pd.DataFrame:
    """The difference of each primary score between a model and the models derived from it.

    Scores without a pair (of items, say) have a difference without interval. A metric whose values
    grow with the length of vectors is not compared, unless both models' vectors have unit length.
    The verdict is on the association: "sign changed" where the value after is beyond 0 with its
    whole interval, as a change of sign is no reduction.

    Parameters
    ----------
    scores : a study's table.
    pairs : rows of the files that `fairflow.scores.paired_cell` writes.
    directions : metric -> {signed, larger_is_fairer}. scaling : metric -> whether its values grow
        with the length of vectors.

    Returns
    -------
    A row for each model of `after` and (sub-)query: before_model, model, metric, criterion, query,
    query_label, subquery, measure; before, after and their intervals (_low, _high) and null bands
    (_null_band_low, _null_band_high); difference (after - before), absolute_difference (|after| -
    |before|) and their intervals; p_value of the difference, p_holm over the distinct queries of a
    model and metric; verdict, one of `VERDICTS`; resampled (which words), ci_level, ci_method,
    n_resamples, n_words, excluded (words that only one model holds), note.
    """
    rows = _side_by_side(ranked_rows(scores), before, after)
    rows = rows.merge(_of_pairs(pairs), on=_KEY, how="left")
    for side in ("before", "after"):
        # Of the words that both models hold, where they are not all.
        rows[side] = rows[f"{side}_paired"].fillna(rows[side])
    rows["difference"] = rows["after"] - rows["before"]
    rows["absolute_difference"] = rows["after"].abs() - rows["before"].abs()
    grows = rows["metric"].map(scaling).astype(bool) & ~_of_unit_length(rows)
    rows["p_value"] = rows["p_value"].mask(grows)
    rows["p_holm"] = np.nan
    for _, group in rows.groupby(["model", "metric"], sort=False):
        adjusted = adjusted_once(group["p_value"], group["subquery_digest"], holm)
        rows.loc[group.index, "p_holm"] = adjusted
    rows["note"] = rows["note"].fillna(NOT_IN_PAIRS).mask(grows, NOTES[GROWS_WITH_LENGTH])
    rows["verdict"] = [
        NOT_COMPARABLE if too_long else change_verdict(row, directions[row["metric"]])
        for row, too_long in zip(rows.to_dict("records"), grows, strict=True)
    ]
    return rows.reindex(columns=COLUMNS)


# The measure of the rows of `size_changes`.
MEAN_SIZE = "mean size"


def size_changes(
    table: pd.DataFrame,
    pairs: pd.DataFrame,
    directions: Mapping[str, Mapping[str, bool]],
    level: float,
    overlaps: Mapping[str, Sequence[Collection[str]]] = {},
) -> pd.DataFrame:
    """Whether a model's associations are smaller on average, each distinct one counted once.

    The sets of a single query have few words, so that its own change is seldom clear. The mean of
    all is resampled over the same words in both models and in all queries. Where an association is
    near 0 after, resamples of its size are larger than it: the test is conservative.

    Parameters
    ----------
    table : from `before_after`. pairs, directions : as there. level : of the intervals of all
        models together, as each model is one more chance of a wrong conclusion.
    overlaps : query -> the words of its four sets, see `fairflow.statistics.overlap`: the draws of
        queries that share some vary too little.

    Returns
    -------
    A row of the measure `MEAN_SIZE` for each model and metric whose sign is a direction, with the
    columns of `before_after`: before and after, the mean sizes; absolute_difference, their change
    with its interval, ci_level of this one interval; n_associations, n_smaller (whose size is
    smaller), n_clearly_smaller (by their own verdict), verdict (`SMALLER`, `LARGER`,
    `NOT_DISTINGUISHABLE` or `UNTESTED`).
    """
    draws_of = {}
    if "size_draws" in pairs:
        keys = zip(*(pairs[name] for name in (*_KEY[:2], _KEY[3])), strict=True)
        draws_of = dict(zip(keys, pairs["size_draws"], strict=True))
    each = 1 - (1 - level) / max(table["model"].nunique(), 1)
    compared = table[table["verdict"] != NOT_COMPARABLE].dropna(subset=["before", "after"])
    rows = []
    for (model, metric), group in compared.groupby(["model", "metric"], sort=False):
        direction = directions[metric]
        if not direction["signed"] or not direction.get("measures_bias", True):
            continue
        distinct = group.drop_duplicates("subquery_digest")
        draws = [draws_of.get((model, metric, key), ()) for key in distinct["subquery_digest"]]
        change = distinct["absolute_difference"]
        low, high = _mean_interval(draws, each, overlap.matrix([*distinct["query"]], overlaps))
        found = SMALLER if high < 0 else LARGER if low > 0 else NOT_DISTINGUISHABLE
        rows.append(
            {
                "before_model": distinct["before_model"].iloc[0],
                "model": model,
                "metric": metric,
                "subquery": MEAN_SIZE,
                "measure": MEAN_SIZE,
                "n_associations": len(distinct),
                "n_smaller": int((change < 0).sum()),
                "n_clearly_smaller": int((distinct["verdict"] == SMALLER).sum()),
                "before": distinct["before"].abs().mean(),
                "after": distinct["after"].abs().mean(),
                "absolute_difference": change.mean(),
                "absolute_difference_low": low,
                "absolute_difference_high": high,
                "ci_level": each,
                "verdict": UNTESTED if math.isnan(low) else found,
            }
        )
    counts = dict.fromkeys(("n_associations", "n_smaller", "n_clearly_smaller"), "Int64")
    return pd.DataFrame(rows, columns=COLUMNS).astype(counts)


def _mean_interval(
    draws: Sequence[Sequence[float]], level: float, shares: np.ndarray
) -> tuple[float, float]:
    """The percentile interval of the mean over queries; NaN where some query has no resamples."""
    sizes = {len(one) for one in draws}
    if len(sizes) != 1 or sizes == {0}:
        return math.nan, math.nan
    each = np.array([np.asarray(one, float) for one in draws])
    factor = overlap.widening(each, shares)
    return percentile_interval(overlap.widened(each.mean(axis=0), factor), level)


def change_verdict(row: Mapping[str, Any], direction: Mapping[str, bool]) -> str:
    """What became of an association, by its difference and the intervals.

    Parameters
    ----------
    row : of `before_after`, with p_holm. direction : {signed, larger_is_fairer, measures_bias} of
        the metric.
    """
    if pd.isna(row["p_holm"]):
        return UNTESTED
    if row["p_holm"] >= ALPHA:
        return NOT_DISTINGUISHABLE
    beyond_zero = row["after_low"] > 0 or row["after_high"] < 0
    if direction["signed"] and row["before"] * row["after"] < 0 and beyond_zero:
        return OTHER_SIGN
    if not direction.get("measures_bias", True):
        return DIFFERS
    size = "absolute_difference" if direction["signed"] else "difference"
    if row[f"{size}_high"] < 0:
        return LARGER if direction["larger_is_fairer"] else SMALLER
    if row[f"{size}_low"] > 0:
        return SMALLER if direction["larger_is_fairer"] else LARGER
    return DIFFERS


def _side_by_side(headline: pd.DataFrame, before: str, after: Sequence[str]) -> pd.DataFrame:
    """Scores of each model after and of the model before, in the study's order."""
    facts = headline[[*_KEY, *_NAMES, *_OF_SCORES]]

    def of_model(model: str, side: str) -> pd.DataFrame:
        names = {"value": side, "value_normalized": f"{side}_unit_length"}
        names |= {f"null_band{end}": f"{side}_null_band{end}" for end in _ENDS}
        return facts[facts["model"] == model].rename(columns=names)

    first = of_model(before, "before").drop(columns=["model", *_NAMES])
    second = pd.concat([of_model(model, "after") for model in after])
    return second.merge(first, on=_KEY[1:]).assign(before_model=before)


def _of_pairs(pairs: pd.DataFrame) -> pd.DataFrame:
    """The rows of pairs of cells, with other names of values than in the scores."""
    rows = pairs.drop(columns=["before_model", "subquery", "measure"])
    rows = rows.drop(columns=["difference", "absolute_difference"])
    named = rows.rename(columns={side: f"{side}_paired" for side in ("before", "after")})
    return named.assign(
        excluded=[", ".join(words) for words in rows["excluded"]], note=rows["note"].fillna("")
    )


def _of_unit_length(rows: pd.DataFrame) -> pd.Series:
    """Whether vectors of unit length would give the same values, in both models."""
    same = [
        np.isclose(rows[side], rows[f"{side}_unit_length"], rtol=SAME_VALUE, atol=SAME_VALUE**2)
        for side in ("before", "after")
    ]
    return pd.Series(np.logical_and(*same), rows.index)
