"""A study's results by the names under which publications print them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import pandas as pd

# (model, metric, query or sub-query or criterion, measure, word or "")
Key = tuple[str, str, str, str, str]
Number = tuple[float, str]

# Columns of a score file that hold a further number of a measure.
NUMBER_COLUMNS = ("p_value", "p_normal")
# So many lost words are named in a remark; coverage.csv holds all.
SHOWN_WORDS = 6

PROBABILITY, SHARE = "negative_probability", "negative_share"


def computed_numbers(
    scores: pd.DataFrame, aggregates: pd.DataFrame, wanted: Collection[str]
) -> dict[Key, Number]:
    """Every number of a study, with what was lost or left out on the way to it.

    A query whose sub-queries were measured stands under the names of these.

    Parameters
    ----------
    scores, aggregates : a study's tables. wanted : the words whose numbers are of interest.
    """
    known: dict[Key, Number] = {}
    headline = scores[scores["headline"]]
    measures = dict(zip(headline["metric"], headline["measure"], strict=True))
    for row in aggregates.to_dict(orient="records"):
        undefined = _text(row["undefined"])
        remark = f"undefined here: {undefined}" if undefined else ""
        key = row["model"], row["metric"], row["criterion"], measures.get(row["metric"], ""), ""
        known[key] = row["value"], remark
    split = headline.duplicated(["model", "metric", "query"], keep=False)
    several = set(headline.loc[split, ["model", "metric", "query"]].itertuples(index=False))
    for row in scores.to_dict(orient="records"):
        names = [row["subquery"]]
        if (row["model"], row["metric"], row["query"]) not in several:
            names.append(row["query"])
        for name in names:
            for measure, item, number in _numbers(row, wanted):
                known[row["model"], row["metric"], name, measure, item] = number, _remark(row)
    return known


def _numbers(row: Mapping[str, Any], wanted: Collection[str]) -> Iterator[tuple[str, str, float]]:
    """Measure, word and value of everything in a row of scores."""
    yield row["measure"], "", row["value"]
    if not row["headline"]:
        return
    for column in NUMBER_COLUMNS:
        if column in row:
            yield column, "", math.nan if row[column] is None else row[column]
    p_normal = row.get("p_normal") or math.nan
    if p_normal > 0:
        # As Caliskan et al. print small ones.
        yield "p_normal_rounded_up", "", 10.0 ** math.ceil(math.log10(p_normal))
    words = list(row["words"])
    total = sum(word["value"] for word in words if word["measure"] == PROBABILITY)
    for word in words:
        if word["word"] in wanted:
            yield word["measure"], word["word"], word["value"]
            if word["measure"] == PROBABILITY:
                yield SHARE, word["word"], word["value"] / total


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
