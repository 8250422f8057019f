"""Models before and after: how each score differs, and what that lets one say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from fairflow.statistics.multiplicity import holm
from fairflow.studies.comparability import GROWS_WITH_LENGTH, NOTES

ALPHA = 0.05
# What became of an association.
SMALLER, LARGER, OTHER_SIGN = "smaller", "larger", "sign changed"
DIFFERS, NOT_TOLD_APART = "differs, not in size", "not told apart"
NOT_COMPARABLE, UNTESTED = "not comparable", "not tested"
VERDICTS = (SMALLER, LARGER, OTHER_SIGN, DIFFERS, NOT_TOLD_APART, NOT_COMPARABLE, UNTESTED)
# Values of vectors in single precision that are equal.
SAME_VALUE = 1e-5
NOT_IN_PAIRS = "answers to items are not resampled in pairs"

_KEY = ["model", "metric", "query", "subquery_digest"]
_NAMES = ["criterion", "query_label", "subquery", "measure"]
_OF_SCORES = ["value", "random_low", "random_high", "value_unit_length"]
_ENDS = ("_low", "_high")
COLUMNS = (
    *("before_model", "model", "metric", "criterion", "query", "query_label", "subquery"),
    *("subquery_digest", "measure"),
    *(f"{side}{end}" for side in ("before", "after") for end in ("", *_ENDS)),
    *(f"{side}_random{end}" for side in ("before", "after") for end in _ENDS),
    *(f"{kind}{end}" for kind in ("difference", "absolute_difference") for end in ("", *_ENDS)),
    *("p_value", "p_holm", "verdict", "resampled", "ci_level", "ci_method", "n_resamples"),
    *("n_words", "left_out", "note"),
)


def before_after(
    scores: pd.DataFrame,
    pairs: pd.DataFrame,
    before: str,
    after: Sequence[str],
    directions: Mapping[str, Mapping[str, bool]],
    scaling: Mapping[str, bool],
) -> pd.DataFrame:
    """The difference of each headline score between a model and those that came of it.

    Scores without a pair (of items, say) have a difference without interval. A metric whose values
    grow with the length of vectors is not compared, unless both models' vectors have unit length.
    The verdict is of the association, of the other sign where the value after lies beyond 0 with
    its interval: a change of sign is no reduction.

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
    (_random_low, _random_high); difference (after - before), absolute_difference (|after| -
    |before|) and their intervals; p_value of the difference, p_holm over the distinct queries of a
    model and metric; verdict, one of `VERDICTS`; resampled (which words), ci_level, ci_method,
    n_resamples, n_words, left_out (words that only one model holds), note.
    """
    rows = _side_by_side(scores[scores["headline"]], before, after)
    rows = rows.merge(_of_pairs(pairs), on=_KEY, how="left")
    for side in ("before", "after"):
        # Of the words that both models hold, where they are not all.
        rows[side] = rows[f"{side}_paired"].fillna(rows[side])
    rows["difference"] = rows["after"] - rows["before"]
    rows["absolute_difference"] = rows["after"].abs() - rows["before"].abs()
    grows = rows["metric"].map(scaling).astype(bool) & ~_of_unit_length(rows)
    rows["p_value"] = rows["p_value"].mask(grows)
    rows["p_holm"] = _adjusted(rows)
    rows["note"] = rows["note"].fillna(NOT_IN_PAIRS).mask(grows, NOTES[GROWS_WITH_LENGTH])
    rows["verdict"] = [
        NOT_COMPARABLE if too_long else verdict(row, directions[row["metric"]])
        for row, too_long in zip(rows.to_dict("records"), grows, strict=True)
    ]
    return rows.reindex(columns=list(COLUMNS))


def verdict(row: Mapping[str, Any], direction: Mapping[str, bool]) -> str:
    """What became of an association, by its difference and the intervals.

    Parameters
    ----------
    row : of `before_after`, with p_holm. direction : {signed, larger_is_fairer} of the metric.
    """
    if pd.isna(row["p_holm"]):
        return UNTESTED
    if row["p_holm"] >= ALPHA:
        return NOT_TOLD_APART
    beyond_zero = row["after_low"] > 0 or row["after_high"] < 0
    if direction["signed"] and row["before"] * row["after"] < 0 and beyond_zero:
        return OTHER_SIGN
    size = "absolute_difference" if direction["signed"] else "difference"
    if row[f"{size}_high"] < 0:
        return LARGER if direction["larger_is_fairer"] else SMALLER
    if row[f"{size}_low"] > 0:
        return SMALLER if direction["larger_is_fairer"] else LARGER
    return DIFFERS


def _side_by_side(headline: pd.DataFrame, before: str, after: Sequence[str]) -> pd.DataFrame:
    """Scores of each model after, beside those of the model before; in the study's order."""
    facts = headline[[*_KEY, *_NAMES, *_OF_SCORES]]

    def of_model(model: str, side: str) -> pd.DataFrame:
        names = {"value": side, "value_unit_length": f"{side}_unit_length"}
        names |= {f"random{end}": f"{side}_random{end}" for end in _ENDS}
        return facts[facts["model"] == model].rename(columns=names)

    first = of_model(before, "before").drop(columns=["model", *_NAMES])
    second = pd.concat([of_model(model, "after") for model in after])
    return second.merge(first, on=_KEY[1:]).assign(before_model=before)


def _of_pairs(pairs: pd.DataFrame) -> pd.DataFrame:
    """What is told of pairs of cells, values under other names than those of the scores."""
    told = pairs.drop(columns=["before_model", "subquery", "measure"])
    told = told.drop(columns=["difference", "absolute_difference"])
    named = told.rename(columns={side: f"{side}_paired" for side in ("before", "after")})
    return named.assign(
        left_out=[", ".join(words) for words in told["left_out"]], note=told["note"].fillna("")
    )


def _of_unit_length(rows: pd.DataFrame) -> pd.Series:
    """Whether vectors of unit length would give the same values, in both models."""
    same = [
        np.isclose(rows[side], rows[f"{side}_unit_length"], rtol=SAME_VALUE, atol=SAME_VALUE**2)
        for side in ("before", "after")
    ]
    return pd.Series(np.logical_and(*same), rows.index)


def _adjusted(rows: pd.DataFrame) -> pd.Series:
    """P-values adjusted over the queries of a model and metric, equal ones counted once."""
    adjusted = pd.Series(np.nan, rows.index)
    for _, group in rows.groupby(["model", "metric"], sort=False):
        largest = group.groupby("subquery_digest")["p_value"].max()
        of_query = pd.Series(holm(largest.to_numpy(dtype=float)), largest.index)
        adjusted[group.index] = group["subquery_digest"].map(of_query)
    return adjusted
