"""The lanes of a forest plot: what is marked where, and why something is not."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import pandas as pd

from fairflow.studies.wording import listed

# More sub-queries of one query than these are drawn as their mean.
MOST_SUBQUERIES = 4
ROW_SHARE = 0.86
LOST = "lost "
KINDS = {
    "interval over target words": ("ci_low", "ci_high"),
    "interval over target and attribute words": ("ci_low_both", "ci_high_both"),
    "band of random target sets": ("random_low", "random_high"),
}
ENDS = [column for ends in KINDS.values() for column in ends]
_FACTS = ["subquery", "value", *ENDS, "ci_level", "n_words", "n_lost", "status", "statistics"]
_FACTS += ["statistics_note"]
# Notes that tell of something else than a missing interval or band.
_OTHER_NOTES = ("permutation", "exchange", "a set has fewer")


def has_intervals(scores: pd.DataFrame) -> bool:
    """Whether any score has an interval or a band of random sets."""
    columns = [column for column in ENDS if column in scores]
    return bool(columns) and bool(scores[columns].notna().any(axis=None))


def lanes(scores: pd.DataFrame, queries: Sequence[str], models: Sequence[str]) -> pd.DataFrame:
    """A lane for each sub-query of each query on each model, for one metric.

    Parameters
    ----------
    scores : rows of one metric. queries : the rows of the panel, from the top.

    Returns
    -------
    Columns query, model, row (of the panel), y (its middle), height (in rows), n_subqueries,
    averaged (the lane is a mean over sub-queries, without interval), short (why there is no
    value; empty if there is one, or the metric measures the query on no model), and the columns of
    the scores that are drawn.
    """
    facts = scores.reindex(columns=["query", "model", *_FACTS])
    cells: dict[str, dict[str, list[dict]]] = {query: {} for query in queries}
    for record in facts[facts["query"].isin(cells)].to_dict("records"):
        cells[record["query"]].setdefault(record["model"], []).append(record)
    rows = [
        lane
        for row, query in enumerate(queries)
        for lane in _row_lanes(cells[query], query, row, models)
    ]
    return pd.DataFrame(rows)


def _row_lanes(
    cells: Mapping[str, list[dict]], query: str, row: int, models: Sequence[str]
) -> Iterator[dict[str, object]]:
    n_subqueries = max(map(len, cells.values()), default=0)
    slot = ROW_SHARE / len(models)
    for index, model in enumerate(models):
        scores = cells.get(model, [])
        averaged = n_subqueries > MOST_SUBQUERIES
        if averaged:
            scores = [_mean(scores)]
        top = row - ROW_SHARE / 2 + index * slot
        height = slot / max(1, len(scores))
        for turn, facts in enumerate(scores or [dict.fromkeys(_FACTS, math.nan)]):
            yield facts | {
                "query": query,
                "model": model,
                "row": row,
                "y": top + (turn + 0.5) * height,
                "height": height,
                "n_subqueries": n_subqueries,
                "averaged": averaged,
                "short": short_reason(facts) if cells else "",
            }


def _mean(scores: list[dict]) -> dict[str, object]:
    values = [facts["value"] for facts in scores if not math.isnan(facts["value"])]
    status = scores[0]["status"] if scores else math.nan
    lost = {key: sum(facts[key] for facts in scores) for key in ("n_words", "n_lost")}
    mean = sum(values) / len(values) if values else math.nan
    return dict.fromkeys(_FACTS, math.nan) | {"value": mean, "status": status} | lost


def short_reason(facts: dict) -> str:
    """Why a score has no value, in a few words; empty if it has one."""
    if not math.isnan(facts["value"]):
        return ""
    status = facts["status"]
    if pd.isna(status):
        return "not scored"
    if status == "lost_vocabulary" and not pd.isna(facts["n_lost"]):
        return f"{LOST}{facts['n_lost']:.0f}/{facts['n_words']:.0f} words"
    return "undefined" if status == "ok" else str(status).replace("_", " ")


def missing_note(panel: pd.DataFrame, labels: Callable[[str], str] = str) -> str:
    """What the marks of a panel lack, of intervals and bands, of which models, and why; or "".

    Parameters
    ----------
    labels : model -> its label.
    """
    marked = panel[panel["value"].notna() & ~panel["averaged"]]
    n_models = marked["model"].nunique()
    parts = []
    for kind, (low, _) in KINDS.items():
        lacking = marked.loc[marked[low].isna(), "model"]
        models = lacking.unique()
        if len(models):
            whose = f" of {listed(map(labels, models))}" if len(models) < n_models else ""
            parts.append(f"no {kind}{whose} ({len(lacking)} of {len(marked)} marks)")
    if not parts:
        return ""
    incomplete = marked[marked[ENDS].isna().any(axis=1)]
    notes = (part for note in incomplete["statistics_note"].dropna() for part in note.split("; "))
    reasons = [
        note.removeprefix("no null band: ")
        for note in dict.fromkeys(notes)
        if not any(other in note for other in _OTHER_NOTES)
    ]
    return ", ".join(parts) + (f": {'; '.join(reasons)}." if reasons else ".")


def parts_of_names(names: Sequence[str]) -> list[str]:
    """What parts names, without the words at which all begin: "Career" of "X wrt Career"."""
    words = [name.split() for name in names]
    same = 0
    while all(len(own) > same + 1 and own[same] == words[0][same] for own in words):
        same += 1
    return [" ".join(own[same:]) for own in words]


def without_value(shown: pd.DataFrame, labels: Callable[[str], str] = str) -> str:
    """Of which models lanes have no value, and why; "" if all have one."""
    told = []
    for model, lanes_ in shown.reset_index().groupby("model", sort=False):
        lanes_ = lanes_[lanes_["value"].notna() | (lanes_["short"] != "")]
        lacking = lanes_[lanes_["value"].isna()]
        if lacking.empty:
            continue
        for_words = lacking["short"].str.startswith(LOST)
        share = (lacking["n_lost"] / lacking["n_words"])[for_words].sort_values(kind="stable")
        shorts = lacking.loc[share.index, "short"]
        ends = dict.fromkeys([*shorts[:1], *shorts[-1:]])
        reasons = [" to ".join(ends).replace(f" words to {LOST}", " to ")]
        reasons = [*filter(None, reasons), *dict.fromkeys(lacking.loc[~for_words, "short"])]
        told.append(f"{labels(model)} in {len(lacking)} of {len(lanes_)} ({', '.join(reasons)})")
    return f"No value (x): {'; '.join(told)}." if told else ""
