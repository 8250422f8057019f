"""Statements on scores of items: those of too few counts, and those that no model could give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import pandas as pd

from fairflow.statistics.counts import FEW_COUNTS
from fairflow.studies.wording import counted, listed


def few_counts_statements(headline: pd.DataFrame, labels: Mapping[str, str]) -> Iterator[str]:
    """Which scores rest on too few counts to be ranked."""
    few = headline[(headline["status"] == FEW_COUNTS) & headline["value"].notna()]
    if len(few):
        models = listed(labels[model] for model in few["model"].unique())
        yield (
            f"{counted(len(few), 'score')} of generated texts ({models}) {_rests(len(few))} on too "
            "few counts to be a finding, and no model is ranked by them."
        )


def _rests(number: int) -> str:
    return "rests" if number == 1 else "rest"


def unanswered_statements(
    unanswered: Iterable[tuple[str, Sequence[str], Sequence[str]]], labels: Mapping[str, str]
) -> Iterator[str]:
    """Which metrics ask what some models cannot answer, so that these have no score by them."""
    metrics_of: dict[tuple[str, str], list[str]] = {}
    for metric, kinds, models in unanswered:
        key = " or ".join(kinds), listed(labels[model] for model in models)
        metrics_of.setdefault(key, []).append(labels[metric])
    for (kinds, models), metrics in metrics_of.items():
        needs = "needs" if len(metrics) == 1 else "need"
        yield f"{listed(metrics)} {needs} a {kinds} model: of {models} there is no such score."
