"""A study's results by the names under which publications print them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fairflow.studies.aggregation import OVERALL

# (model, metric, query or sub-query or criterion, measure, word or "")
Key = tuple[str, str, str, str, str]


class Number(NamedTuple):
    """A number, what was lost or left out on the way to it, and the random splits behind it.

    Attributes
    ----------
    splits : for each query that the number is a mean over, the value on each split; empty for a
        number that no random splits went into.
    """

    value: float
    remark: str
    splits: Sequence[Sequence[float]] = ()


# Columns of a score file that hold a further number of a measure.
NUMBER_COLUMNS = ("p_value", "p_normal")
# So many lost words are named in a remark; coverage.csv holds all.
SHOWN_WORDS = 6

PROBABILITY, SHARE = "negative_probability", "negative_share"


def computed_numbers(
    scores: pd.DataFrame, aggregates: pd.DataFrame, items: Collection[str]
) -> dict[Key, Number]:
    """Every number of a study, with what was lost or left out on the way to it.

    A query whose sub-queries were measured stands under the names of these.

    Parameters
    ----------
    scores, aggregates : a study's tables. wanted : the words whose numbers are of interest.
    """
    numbers: dict[Key, Number] = {}
    headline = scores[scores["headline"]]
    measures = dict(zip(headline["metric"], headline["measure"], strict=True))
    for row in aggregates.to_dict(orient="records"):
        undefined = _text(row["undefined"])
        remark = f"undefined here: {undefined}" if undefined else ""
        key = row["model"], row["metric"], row["criterion"], measures.get(row["metric"], ""), ""
        numbers[key] = Number(row["value"], remark, _splits_of_mean(headline, row))
    split = headline.duplicated(["model", "metric", "query"], keep=False)
    several = set(headline.loc[split, ["model", "metric", "query"]].itertuples(index=False))
    for row in scores.to_dict(orient="records"):
        names = [row["subquery"]]
        if (row["model"], row["metric"], row["query"]) not in several:
            names.append(row["query"])
        for name in names:
            for measure, item, number, splits in _numbers(row, items):
                key = row["model"], row["metric"], name, measure, item
                numbers[key] = Number(number, _remark(row), [splits] if len(splits) else [])
    return numbers


def _splits_of_mean(headline: pd.DataFrame, row: Mapping[str, Any]) -> list[Sequence[float]]:
    """The splits behind each defined query of an aggregate, if it is a mean over such queries."""
    if row["aggregation"] != "avg":
        return []
    of_cell = (headline["model"] == row["model"]) & (headline["metric"] == row["metric"])
    of_criterion = headline[of_cell & headline["value"].notna()]
    if row["criterion"] != OVERALL:
        of_criterion = of_criterion[of_criterion["criterion"] == row["criterion"]]
    splits = list(of_criterion.drop_duplicates("subquery_digest")["splits"])
    return splits if all(map(len, splits)) else []


def _numbers(
    row: Mapping[str, Any], items: Collection[str]
) -> Iterator[tuple[str, str, float, Sequence[float]]]:
    """Measure, word, value and values on random splits of everything in a row of scores."""
    yield row["measure"], "", row["value"], row.get("splits", ())
    if not row["headline"]:
        return
    for column in NUMBER_COLUMNS:
        if column in row:
            yield column, "", math.nan if row[column] is None else row[column], ()
    p_normal = row.get("p_normal") or math.nan
    if p_normal > 0:
        # As Caliskan et al. print small ones.
        yield "p_normal_rounded_up", "", 10.0 ** math.ceil(math.log10(p_normal)), ()
    words = list(row["words"])
    judged = [word for word in words if word["measure"] == PROBABILITY]
    total = sum(word["value"] for word in judged)
    totals = np.sum([word.get("splits", ()) for word in judged], axis=0)
    for word in words:
        if word["word"] in items:
            splits = word.get("splits", ())
            yield word["measure"], word["word"], word["value"], splits
            if word["measure"] == PROBABILITY:
                shares = np.divide(splits, totals)
                yield SHARE, word["word"], word["value"] / total, shares


def _remark(row: Mapping[str, Any]) -> str:
    respelt = [f"{w['word']} as {w['form']}" for w in row["respelt_words"]]
    parts = [
        # A reason names the words that were lost.
        _text(row["reason"]) or _some("lost", list(row["lost_words"])),
        _some("in another form", respelt),
    ]
    return "; ".join(filter(None, parts))


def _some(label: str, words: list[str]) -> str:
    more = f" and {len(words) - SHOWN_WORDS} more" if len(words) > SHOWN_WORDS else ""
    return f"{label}: {', '.join(words[:SHOWN_WORDS])}{more}" if words else ""


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
