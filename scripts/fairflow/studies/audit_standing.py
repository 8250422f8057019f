"""What an audit says of a model's controls, and of its place beside the reference models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from fairflow.studies.comparability import AS_ANOTHER, COMES_OUT, NO_CONTROL, SAME_VECTORS
from fairflow.studies.findings.comparisons import standing
from fairflow.studies.wording import counted, listed


def control_line(ranking: pd.DataFrame, model: str, shown: Sequence[str]) -> str:
    """Whether it shows what any sensible vectors show, and what that is.

    Parameters
    ----------
    ranking : with the column control. shown : each control query in words.
    """
    remarks = ranking.loc[ranking["model"] == model, "control"].dropna().unique()
    remark = remarks[0] if len(remarks) else NO_CONTROL
    if remark.startswith(NO_CONTROL):
        return "no control query was asked"
    if remark == COMES_OUT:
        return f"it shows what any sensible vectors show: {'; '.join(shown)}"
    out = remark.count(f" {COMES_OUT} (")
    if not out:
        return f"not known, as no control query could be measured: {remark}"
    others = "the other" if len(shown) == out + 1 else "the others"
    controls = counted(len(shown), "control query", "control queries")
    comes = "comes" if out == 1 else "come"
    return f"{out} of {controls} {comes} out, {others} could not be measured: {remark}"


def standing_line(
    ranking: pd.DataFrame,
    pairwise: pd.DataFrame,
    labels: Mapping[str, str],
    model: str,
    metric: str,
) -> str:
    """How it stands beside the reference models, and its score on each criterion beside theirs.

    Criteria on which it is not ranked are named with the reason.
    """
    computed = ranking[(ranking["source"] == "computed") & (ranking["metric"] == metric)]
    names = [*dict.fromkeys(computed.loc[computed["model"] != model, "model"])]
    told: list[str] = []
    left_out: dict[str, list[str]] = {}
    for criterion, group in computed.groupby("criterion", sort=False):
        rows = {row["model"]: row for row in group.to_dict("records")}
        own = rows.get(model)
        if own is None or pd.isna(own["score"]):
            reason = _reason(own["note"] if own else None, names, labels)
            left_out.setdefault(reason, []).append(str(criterion))
            continue
        beside = ", ".join(_score(rows.get(name)) for name in names)
        verdict = standing(pairwise, labels, model, str(criterion), metric)
        in_brackets = f" ({beside})" if beside else ""
        said = f"{criterion} {own['score']:.2f}{_part(own)}{in_brackets}"
        told.append(f"{said}: {verdict}" if verdict else said)
    legend = f"in parentheses {listed(labels[name] for name in names)}" if told and names else ""
    missing = [f"{listed(criteria)} not ranked: {why}" for why, criteria in left_out.items()]
    return "; ".join(filter(None, (*told, *missing, legend))) or "it has no score to be compared by"


def _score(row: Mapping[str, Any] | None) -> str:
    if row is not None and row["status"] == SAME_VECTORS:
        return "the same"
    return "none" if row is None or pd.isna(row["score"]) else f"{row['score']:.2f}"


def _part(row: Mapping[str, Any]) -> str:
    """How many of the queries are compared, where it is not all of them."""
    number, every = int(row["n_common"]), int(row["n_queries"])
    return f" on {number} of {every} queries" if number < every else ""


def _reason(note: object, names: Sequence[str], labels: Mapping[str, str]) -> str:
    """Why there is no score, with the labels of models."""
    text = note if isinstance(note, str) and note else "it has no score"
    if text.startswith(AS_ANOTHER):
        other = next(name for name in names if text.startswith(f"{AS_ANOTHER}{name},"))
        return text.replace(other, labels[other], 1)
    return text
