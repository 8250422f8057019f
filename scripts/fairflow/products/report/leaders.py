"""The ranks of a study's models: one table of models and criteria, by one metric."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from fairflow.studies.claims.comparisons import chance_of_rank, lead_criterion, ranked
from fairflow.studies.wording import percent_text

SHARED = "tie"


class RankCell(NamedTuple):
    """A rank; its note has the mean score, and the share of word resamples that give that rank."""

    text: str = ""
    note: str = ""


class Standing(NamedTuple):
    """A model's rank on each criterion, and how much it is based on.

    Attributes
    ----------
    ranks : on each criterion, empty without rank.
    queries : number of defined queries, "" if unknown.
    words : share of the words that the vocabulary contains, "" if unknown.
    note : why it has no rank, else "".
    """

    model: str
    is_subject: bool
    ranks: Sequence[RankCell]
    queries: str
    words: str
    note: str


class LeaderTable(NamedTuple):
    """Models by criteria, the model with the least association first.

    Attributes
    ----------
    rows : the models that have a rank, and the model that the study is about.
    unranked : the others, with the reason.
    """

    metric: str
    criteria: Sequence[str]
    rows: Sequence[Standing]
    unranked: Sequence[Standing]


def leader_tables(
    frames: Mapping[str, pd.DataFrame], labels: Mapping[str, str], subject: str = ""
) -> tuple[LeaderTable, ...]:
    """A table for each metric that ranks models; the metric that compares models best is first.

    Parameters
    ----------
    frames : tables of the study by name; without "ranking" there are no leader tables, and without
        "rank_probabilities" and "coverage" their columns are empty.
    subject : the model that the study is about.
    """
    return tuple(
        _leader_table(frames, rows, str(metric), labels, subject)
        for metric, rows in ranked(frames).groupby("metric", sort=False)
    )


def rank_text(rank: float, sharing: int = 1) -> str:
    """'2'; where several models share a rank, the places that they take: '1-2'."""
    half = (sharing - 1) / 2
    return f"{rank:.0f}" if sharing == 1 else f"{rank - half:.0f}-{rank + half:.0f}"


def _leader_table(
    frames: Mapping[str, pd.DataFrame],
    ranks: pd.DataFrame,
    metric: str,
    labels: Mapping[str, str],
    subject: str,
) -> LeaderTable:
    ranking = frames["ranking"]
    mine = ranking[(ranking["source"] == "computed") & (ranking["metric"] == metric)]
    lead = lead_criterion([*dict.fromkeys(ranks["criterion"])])
    criteria = [*dict.fromkeys([lead, *ranks["criterion"]])]
    ranks = ranks.assign(sharing=ranks.groupby(["criterion", "rank"])["rank"].transform("size"))
    known = {(row.criterion, row.model): row for row in ranks.itertuples()}

    def cell(criterion: str, model: str) -> RankCell:
        if (row := known.get((criterion, model))) is None:
            return RankCell()
        chance = chance_of_rank(frames, (criterion, metric, model), row.rank)
        sure = SHARED if row.sharing > 1 else percent_text(chance)
        note = ", ".join(filter(None, (f"{row.score:.2f}", sure)))
        return RankCell(rank_text(row.rank, row.sharing), note)

    def place(model: str) -> float:
        return known[lead, model].rank if (lead, model) in known else math.inf

    rows = [
        Standing(
            labels.get(model, model),
            model == subject,
            [cell(criterion, model) for criterion in criteria],
            _queries(mine[(mine["criterion"] == lead) & (mine["model"] == model)]),
            _words(frames, model),
            _note(mine[mine["model"] == model], labels),
        )
        for model in sorted(dict.fromkeys(mine["model"]), key=place)
    ]
    shown = [row for row in rows if row.is_subject or any(one.text for one in row.ranks)]
    unranked = [row for row in rows if row not in shown]
    return LeaderTable(labels.get(metric, metric), criteria, shown, unranked)


def _queries(row: pd.DataFrame) -> str:
    return f"{int(row['n_defined'].iloc[0])} of {int(row['n_queries'].iloc[0])}" if len(row) else ""


def _words(frames: Mapping[str, pd.DataFrame], model: str) -> str:
    coverage = frames.get("coverage", pd.DataFrame())
    if coverage.empty:
        return ""
    rows = coverage[coverage["model"] == model]
    words = rows["words"].sum()
    # Rounded down, so that 100% is all of them.
    return f"{math.floor(1000 * rows['found'].sum() / words) / 10:g}%" if words else ""


def _note(rows: pd.DataFrame, labels: Mapping[str, str]) -> str:
    """Why a model has no rank anywhere, models named by their labels."""
    if rows["rank"].notna().any():
        return ""
    notes = rows["note"].dropna()
    return with_labels(str(notes.iloc[0]), labels) if len(notes) else ""


def with_labels(text: str, labels: Mapping[str, str]) -> str:
    """A text in which labels replace the names of models and metrics."""
    pattern = "|".join(map(re.escape, sorted(labels, key=len, reverse=True)))
    return re.sub(rf"(?<![\w-])(?:{pattern})(?![\w-])", lambda m: labels[m[0]], text)
