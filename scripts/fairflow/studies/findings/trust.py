"""How far the numbers of a study can be trusted, in words: the one place that words the verdict.

The verdict is the table `trust`, see `fairflow.studies.validity.trust`. Without it nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import pandas as pd

from fairflow.studies.aggregation import OVERALL
from fairflow.studies.comparability import failing_models
from fairflow.studies.findings.finding import Finding, Results
from fairflow.studies.validity.trust import (
    FREQUENCY,
    GOOD,
    GRADES,
    LINES,
    MIDDLING,
    OF_WORDS,
    PAIRS,
    POOR,
    RELIABILITY,
    SEEDS,
    THRESHOLDS,
    UNKNOWN,
    YARDSTICK,
)
from fairflow.studies.wording import bare_decimal, counted, listed, shortened

QUESTION = "How far can these numbers be trusted?"
# What each line says, for a reader who is no specialist.
MEANINGS = {
    YARDSTICK: "Do the numbers of words agree with what people or statistics say of these words?",
    RELIABILITY: "Do the words of a list agree, so that a score does not depend on a few of them?",
    PAIRS: "Do different pairs of words for the same contrast, such as she and he, agree?",
    SEEDS: "Does a score keep its direction with the word lists of other publications?",
    FREQUENCY: "Does a score reflect meaning, and not how frequent the words are?",
}
# Models that are named; of more the two ends are.
MOST_NAMED = 3
_NOUNS = {
    YARDSTICK: ("word", "words"),
    PAIRS: ("word", "words"),
    SEEDS: ("score", "scores"),
    RELIABILITY: ("query", "queries"),
    FREQUENCY: ("query", "queries"),
}
_ANSWERS = {
    GOOD: "These numbers can be trusted as far as is known",
    MIDDLING: "These numbers can be trusted with caution",
    POOR: "These numbers can be trusted only in part",
    UNKNOWN: "How far these numbers can be trusted is unknown",
}
_INVALID = "No yardstick shows that these numbers are valid"

Row = Mapping[str, Any]


def how_far_trusted(results: Results) -> Iterator[Finding]:
    """How far the numbers of a study, or those of its subject, can be trusted: five lines."""
    rows = _rows(results, "")
    if rows:
        grades = {line: _worst(of) for line, of in rows.items()}
        everywhere = {row["grade"] for row in rows.get(YARDSTICK, ())} == {POOR}
        none = everywhere and not _agrees_with_a_norm(results, rows[YARDSTICK])
        answer = _INVALID if none else _ANSWERS[_worst_of(grades.values())]
        each = ", ".join(_in_brief(results, line, of) for line, of in rows.items())
        yield Finding(
            f"{answer}: {each}.",
            table="trust",
            numbers=grades,
            evidence=tuple(trust_lines(results).values()),
        )


def _agrees_with_a_norm(results: Results, rows: Sequence[Row]) -> bool:
    """Whether a model agrees with some norm: the line itself is about the concept in the middle."""
    norms = results.table("yardsticks")
    if norms.empty:
        return False
    own = norms["model"].isin([row["model"] for row in rows]) & (norms["metric"] == OF_WORDS)
    return bool((norms.loc[own, "pearson_low"] > 0).any())


def trust_lines(results: Results) -> dict[str, str]:
    """Line -> a sentence with its grade, its number in each model, and what that is based on."""
    frame = results.table("trust")
    criteria = [c for c in frame["criterion"].dropna().unique() if c] if len(frame) else []
    rows_on = {str(criterion): _rows(results, str(criterion)) for criterion in criteria}
    sentences = {}
    for line, rows in _rows(results, "").items():
        name, worse = _worst(rows), dict[str, list[str]]()
        for criterion, of in rows_on.items():
            there = _worst(of.get(line, ()))
            if UNKNOWN not in (name, there) and GRADES.index(there) > GRADES.index(name):
                worse.setdefault(there, []).append(criterion)
        more = "".join(f"; {there} on {listed(worse[there])}" for there in GRADES if there in worse)
        text = f"{line.capitalize()} {name}: {_numbers(results, line, rows)}"
        sentences[line] = f"{text}{more}."
    return sentences


def doubts(
    results: Results,
    metric: str,
    criterion: str,
    models: set[str],
    named: Sequence[tuple[str, str]],
) -> Iterator[str]:
    """Clauses on a comparison: poor reliability, and published word lists that reverse it.

    Parameters
    ----------
    models : that are compared. named : pairs of them, the more biased one first.
    """
    rows = _rows(results, "" if criterion == OVERALL else criterion, models).get(RELIABILITY, [])
    if poor := [row for row in rows if row["grade"] == POOR]:
        yield f"reliability is poor in {_models(results, poor, len(rows))}"
    for more, less in named:
        n, of = reversals(results, metric, criterion, more, less)
        if n and 1 - n / of < THRESHOLDS[SEEDS].good:
            pair = f" of {results.labels[more]} and {results.labels[less]}" * (len(named) > 1)
            lists = counted(of, "published word list")
            yield f"{n} of {lists} {'reverses' if n == 1 else 'reverse'} the order{pair}"


def reversals(
    results: Results, metric: str, criterion: str, more: str, less: str
) -> tuple[int, int]:
    """How many published word lists reverse the order of two models, and how many there are.

    A list takes the place of ours in all queries of a criterion that are about its concept; the
    others keep their scores. The models are compared by mean absolute scores. (0, 0) for a metric
    whose sign is no direction, and where our lists give another order than that of `more`, `less`.
    """
    swaps, scores = results.table("seed_swap"), results.headline
    if swaps.empty or metric not in results.signed:
        return 0, 0
    scores = scores[(scores["metric"] == metric) & scores["model"].isin([more, less])]
    if criterion != OVERALL:
        scores = scores[scores["criterion"] == criterion]
    ours = scores.assign(size=scores["value"].abs()).pivot_table(
        index=["query", "subquery"], columns="model", values="size"
    )
    ours = ours.reindex(columns=[more, less]).dropna()
    gap = (ours[more] - ours[less]).groupby("query").agg(["sum", "size"])
    if not gap["sum"].sum() > 0:
        return 0, 0
    swaps = swaps[(swaps["metric"] == metric) & ~swaps["is_own"].eq(True)]
    swaps = swaps[swaps["query"].isin(gap.index)]
    key = ["concept", "seeds", "query", "role"]
    theirs = swaps.assign(size=swaps["value"].abs()).pivot_table(
        index=key, columns="model", values="size"
    )
    theirs = theirs.reindex(columns=[more, less]).dropna().reset_index()
    theirs = theirs.join(gap, on="query").rename(columns={"sum": "ours", "size": "n"})
    change = theirs["n"] * (theirs[more] - theirs[less]) - theirs["ours"]
    of_list = change.groupby([theirs["concept"], theirs["seeds"]]).sum()
    return int((gap["sum"].sum() + of_list < 0).sum()), len(of_list)


def _rows(
    results: Results, criterion: str, models: set[str] | None = None
) -> dict[str, list[dict[str, Any]]]:
    """Line -> the rows of a criterion, of these models, else of the subject or of all; or {}.

    A model that fails a control query has no other results.
    """
    frame = results.table("trust")
    if frame.empty:
        return {}
    models = models or ({results.subject} if results.subject else {*frame["model"]})
    models = models - failing_models(results.table("scores")).keys()
    rows = frame[(frame["criterion"].fillna("") == criterion) & frame["model"].isin(models)]
    of = {line: rows[rows["line"] == line].to_dict("records") for line in LINES}
    return {line: found for line, found in of.items() if found}


def _worst_of(grades: Any) -> str:
    """The worst known grade; `UNKNOWN` if none is known."""
    known = [name for name in grades if name != UNKNOWN]
    return max(known, key=GRADES.index, default=UNKNOWN)


def _worst(rows: Sequence[Row]) -> str:
    return _worst_of(row["grade"] for row in rows)


def _in_brief(results: Results, line: str, rows: Sequence[Row]) -> str:
    """'reliability poor (.41)', of several models 'reliability poor in GloVe 6B (.41)'."""
    name = _worst(rows)
    having = [row for row in rows if row["grade"] == name]
    if len(having) < len(rows):
        return f"{line} {name} in {_models(results, having, len(rows))}"
    numbers = sorted({bare_decimal(row["value"]) for row in rows}, key=float)
    ends = dict.fromkeys([numbers[0], numbers[-1]])
    return f"{line} {name}" + ("" if name == UNKNOWN else f" ({' to '.join(ends)})")


def _models(results: Results, rows: Sequence[Row], every: int) -> str:
    """'GloVe 6B (.41) and word2vec (.33)', or '5 of 12 models'."""
    if len(rows) > MOST_NAMED:
        return f"{len(rows)} of {every} models"
    number = (f" ({bare_decimal(row['value'])})" if row["n"] else "" for row in rows)
    return listed(f"{results.labels[r['model']]}{n}" for r, n in zip(rows, number, strict=True))


def _numbers(results: Results, line: str, rows: Sequence[Row]) -> str:
    """What is known in which models, and why it is not known in others."""
    parts = []
    known = sorted((row for row in rows if row["grade"] != UNKNOWN), key=lambda row: row["of"])
    for of, group in groupby(known, key=lambda row: row["of"]):
        parts.append(f"{of} is {_values(results, line, [*group])}")
    why: dict[str, list[Row]] = {}
    for row in rows:
        if isinstance(row["reason"], str) and row["reason"]:
            why.setdefault(shortened(row["reason"]), []).append(row)
    for reason, of in why.items():
        where = f" in {_models(results, of, len(rows))}" if len(rows) > 1 else ""
        is_unknown = of[0]["grade"] == UNKNOWN and len(of) < len(rows)
        parts.append(f"unknown{where}: {reason}" if is_unknown else f"{reason}{where}")
    return "; ".join(parts)


def _values(results: Results, line: str, rows: Sequence[Row]) -> str:
    """'.41 [.30, .52] in GloVe 6B and .83 [.80, .86] in word2vec (7 queries)'."""
    based = _based(line, [int(row["n"]) for row in rows])
    if len(rows) <= MOST_NAMED:
        each = listed(f"{_interval(row)} in {results.labels[row['model']]}" for row in rows)
        return f"{each} ({based})"
    ends = (end(rows, key=lambda row: row["value"]) for end in (min, max))
    text = (f"{bare_decimal(row['value'])} ({results.labels[row['model']]})" for row in ends)
    return f"{' to '.join(text)} in {len(rows)} models ({based})"


def _based(line: str, numbers: Sequence[int]) -> str:
    """'7 queries', '3,999 to 4,642 words'."""
    ends = dict.fromkeys(f"{n:,}" for n in (min(numbers), max(numbers)))
    return f"{' to '.join(ends)} {_NOUNS[line][max(numbers) != 1]}"


def _interval(row: Row) -> str:
    value, low, high = (bare_decimal(row[name]) for name in ("value", "low", "high"))
    return value if pd.isna(row["low"]) else f"{value} [{low}, {high}]"
