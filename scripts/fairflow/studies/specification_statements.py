"""What a comparison in every specification lets one conclude: statements for a list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from fairflow.studies.specification_summary import choices_told
from fairflow.studies.wording import counted

# Pairs of models that are named; the others are in the table.
MOST_NAMED = 3


def specification_statements(
    summary: pd.DataFrame | None, labels: Mapping[str, str]
) -> Iterator[str]:
    """How often which of two models shows more bias, by criterion, and which choice decides it.

    Parameters
    ----------
    summary : from `specification_summary`, None of a study without it.
    """
    if summary is None or summary.empty:
        return
    counted_rows = summary[summary["n_specifications"] > 0]
    pairs = list(counted_rows.groupby(["model", "other"], sort=False))
    for (model, other), rows in pairs[:MOST_NAMED]:
        yield _of_pair(rows, labels[model], labels[other])
    rest = len(pairs) - MOST_NAMED
    if rest > 0:
        yield f"{counted(rest, 'further pair')} of models: see the table specification_summary."
    if pairs:
        yield (
            "What a result hangs on is told by pairs of specifications that differ in one choice "
            "alone: how many of them point to different models. Specifications share scores and "
            "words and are not independent, so that no share of them is a probability. Where all "
            "agree, none of these choices makes the order; whether other queries or words would "
            "give it is what tests over queries and draws of words tell."
        )
    notes = [str(note) for note in summary["note"].dropna()]
    gone = dict.fromkeys(part for note in notes for part in note.split("; ") if "this run" in part)
    for part in gone:
        yield f"Fewer specifications than the study asks for: {part}."


def _of_pair(rows: pd.DataFrame, model: str, other: str) -> str:
    told = []
    for row in rows.to_dict("records"):
        leads = row["n_model"] >= row["n_other"]
        n = row["n_model"] if leads else row["n_other"]
        total = row["n_specifications"]
        decides = choices_told(row)
        told.append(
            f"on {row['criterion']} {model if leads else other} shows more bias in {n} of "
            f"{counted(total, 'specification')} (of these {total} the interval over queries "
            f"excludes 0 in {row['n_clear']})"
            f"{f', which hangs most on {decides}' if decides else ''}"
        )
    return f"{model} beside {other}, by all choices that could be defended: {'; '.join(told)}."
