"""The lanes of a forest plot: what is marked where, and why something is not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import pandas as pd

# More sub-queries of one query than these are drawn as their mean.
MOST_SUBQUERIES = 4
ROW_SHARE = 0.86
KINDS = {
    "interval over target words": ("ci_low", "ci_high"),
    "interval over target and attribute words": ("ci_low_both", "ci_high_both"),
    "band of random target sets": ("random_low", "random_high"),
}
ENDS = [column for ends in KINDS.values() for column in ends]
_FACTS = ["value", *ENDS, "ci_level", "n_words", "n_lost", "status", "statistics"]
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
    averaged (the lane is a mean over sub-queries, without interval), short (why there is no value,
    else empty), and the columns of the scores that are drawn.
    """
    facts = scores.reindex(columns=["query", "model", *_FACTS])
    rows = [
        lane
        for row, query in enumerate(queries)
        for lane in _row_lanes(facts[facts["query"] == query], query, row, models)
    ]
    return pd.DataFrame(rows)


def _row_lanes(
    rows: pd.DataFrame, query: str, row: int, models: Sequence[str]
) -> Iterator[dict[str, object]]:
    n_subqueries = int(rows.groupby("model").size().max()) if len(rows) else 0
    slot = ROW_SHARE / len(models)
    for index, model in enumerate(models):
        scores = rows[rows["model"] == model].to_dict("records")
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
                "short": short_reason(facts),
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
        return f"lost {facts['n_lost']:.0f}/{facts['n_words']:.0f} words"
    return "undefined" if status == "ok" else str(status).replace("_", " ")


def missing_note(panel: pd.DataFrame, label: str) -> str:
    """What the marks of a panel lack, of intervals and bands, and why; empty if nothing."""
    marked = panel[panel["value"].notna() & ~panel["averaged"]]
    lacking = {kind: int(marked[low].isna().sum()) for kind, (low, _) in KINDS.items()}
    parts = [f"no {kind} ({n} of {len(marked)} marks)" for kind, n in lacking.items() if n]
    if not parts:
        return ""
    incomplete = marked[marked[ENDS].isna().any(axis=1)]
    notes = (part for note in incomplete["statistics_note"].dropna() for part in note.split("; "))
    reasons = [n for n in dict.fromkeys(notes) if not any(other in n for other in _OTHER_NOTES)]
    return f"{label}: {', '.join(parts)}" + (f": {'; '.join(reasons)}." if reasons else ".")
