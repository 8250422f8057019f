"""What remains of a bias in each model after, and what was lost: statements for a list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from fairflow.remains.named_tests import (
    CLASSIFIER,
    CLUSTERS,
    DIRECT,
    KEPT,
    NEIGHBOURS,
    PROFESSIONS,
    REMAINS,
    TESTS,
)
from fairflow.studies.wording import counted, listed

# How a sentence tells of a test.
_SHARES = {
    CLUSTERS: "two clusters tell the side of the {n:.0f} most biased words in {after:.0%}",
    CLASSIFIER: "a classifier that of {n:.0f} in {after:.0%}",
}
_CORRELATIONS = {
    NEIGHBOURS: "the bias of {n:.0f} words correlates with the sides of their neighbours by "
    "{after:.2f}",
    PROFESSIONS: "that of {n:.0f} professions by {after:.2f}",
}
_LENGTHS = {DIRECT: "professions lie along the direction of the pairs by {after:.2g} on average"}


def remains_statements(
    what_remains: pd.DataFrame | None, labels: Mapping[str, str]
) -> Iterator[str]:
    """For each model after: whether its words still tell their old bias, and what was lost.

    Parameters
    ----------
    what_remains : a table of the study, the model before first, or None. labels : of models.
    """
    if what_remains is None or what_remains.empty:
        return
    rows_of = {str(model): rows for model, rows in what_remains.groupby("model", sort=False)}
    before = next(iter(rows_of))
    first = rows_of.pop(before)
    for model, rows in rows_of.items():
        yield from _bias_left(rows[rows["about"] == REMAINS], first, labels[model])
        yield from _use_lost(rows[rows["about"] == KEPT], labels[model], labels[before])
        yield from _not_measured(rows, labels[model])


def _bias_left(rows: pd.DataFrame, first: pd.DataFrame, label: str) -> Iterator[str]:
    of_test = {row["test"]: row for row in rows.dropna(subset="value").to_dict("records")}
    before = dict(zip(first["test"], first["value"], strict=True))
    parts = []
    for texts, form in ((_SHARES, ".0%"), (_CORRELATIONS, ".2f"), (_LENGTHS, ".2g")):
        for test, text in texts.items():
            if row := of_test.get(TESTS[test].label):
                told = text.format(n=row["n"], after=row["value"])
                parts.append(f"{told} (before {before[row['test']]:{form}})")
    if not parts:
        return
    correlated = [of_test.get(TESTS[test].label) for test in _CORRELATIONS]
    clear = [row for row in correlated if row and row["value_range_low"] > 0]
    if clear:
        what = f"The old bias of words can still be told from where they lie in {label}"
    elif any(correlated):
        what = (
            f"The old bias of words was not found again in the neighbours of {label}, which does "
            "not show that it is gone"
        )
    else:
        what = f"What was found of the old bias of words in {label}"
    yield f"{what}: {listed(parts)}."


def _use_lost(rows: pd.DataFrame, label: str, before: str) -> Iterator[str]:
    told = rows.dropna(subset=["difference_low", "difference_high"])
    if told.empty:
        return
    worse = told[told["difference_high"] < 0]
    better = told[told["difference_low"] > 0]
    same = len(told) - len(worse) - len(better)
    covered, total = int(told["covered"].sum()), int(told["total"].sum())
    yield (
        f"For what vectors are good for, {label} is {_named('worse', worse)}, "
        f"{_named('better', better)} and not told apart from {before} in {same} of "
        f"{counted(len(told), 'benchmark')} of word similarity and analogies (intervals over the "
        f"{covered} of {total} items that are in the model, not adjusted for their number)."
    )


def _named(how: str, rows: pd.DataFrame) -> str:
    if rows.empty:
        return f"{how} in none"
    each = zip(rows["subject"], rows["difference"], strict=True)
    return f"{how} in {listed(f'{name} ({value:+.3f})' for name, value in each)}"


def _not_measured(rows: pd.DataFrame, label: str) -> Iterator[str]:
    missing = rows[rows["value"].isna()]
    if missing.empty:
        return
    names = [
        row["test"] if pd.isna(row["subject"]) or not row["subject"] else row["subject"]
        for row in missing.to_dict("records")
    ]
    reasons = listed(dict.fromkeys(missing["note"].dropna()))
    yield f"Not measured of {label}: {listed(names)} ({reasons})."
