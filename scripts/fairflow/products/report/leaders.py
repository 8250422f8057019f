"""The ranks of a study's models: one table of models and criteria, by one metric."""

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from fairflow.studies.claims.comparisons import PLACE, chance_of_rank, lead_criterion, ranked
from fairflow.studies.wording import percent_text

SHARED = "tie"


@dataclass(frozen=True)
class Standing:
    """A model's rank on each criterion, how sure the rank is, and how many queries it is based on.

    Attributes
    ----------
    ranks : a text for each criterion, "" without rank.
    chances : share of word resamples that give that rank, "" if unknown, `SHARED` for a rank that
        several models share.
    scores : the mean score behind each rank.
    queries : number of defined queries, "" if unknown.
    words : share of the words that the vocabulary contains, "" if unknown.
    note : why it has no rank, else "".
    """

    model: str
    is_subject: bool
    ranks: tuple[str, ...]
    chances: tuple[str, ...]
    scores: tuple[str, ...]
    queries: str
    words: str
    note: str


class RankCell(NamedTuple):
    """A cell of the table; the note of a rank has the mean score and the chance of that rank."""

    text: str
    note: str = ""
    is_rank: bool = False


@dataclass(frozen=True)
class LeaderTable:
    """Models by criteria, the model with the least association first.

    Attributes
    ----------
    rows : the models that have a rank, and the model that the study is about.
    unranked : the others, with the reason.
    """

    metric: str
    criteria: tuple[str, ...]
    rows: tuple[Standing, ...]
    unranked: tuple[Standing, ...]

    @property
    def lines(self) -> list[list[RankCell]]:
        """All cells, headers first; the side of the table with more entries runs down the page."""
        facts = ["Queries", "Words"]
        columns = [[*map(RankCell, ("Model", *self.criteria, *facts))]]
        for row in self.rows:
            notes = [
                ", ".join(filter(None, one)) for one in zip(row.scores, row.chances, strict=True)
            ]
            ranks = zip(row.ranks, notes, strict=True)
            cells = [RankCell(rank, note, True) if rank else RankCell("—") for rank, note in ranks]
            more = [RankCell(known or "—") for known in (row.queries, row.words)]
            columns.append([RankCell(row.model), *cells, *more])
        wide = len(self.criteria) < len(self.rows)
        return columns if wide else [[*line] for line in zip(*columns, strict=True)]

    @property
    def subjects(self) -> set[str]:
        """The label of the model that the study is about."""
        return {row.model for row in self.rows if row.is_subject}


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
    ranks = ranked(frames)
    return tuple(
        _leader_table(frames, rows, str(metric), labels, subject)
        for metric, rows in ranks.groupby("metric", sort=False)
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
    criteria = tuple(dict.fromkeys(ranks["criterion"]))
    lead = lead_criterion(criteria)
    criteria = (lead, *(name for name in criteria if name != lead))
    rank_of = {(r.criterion, r.model): r.rank for r in ranks.itertuples()}
    score_of = {(r.criterion, r.model): f"{r.score:.2f}" for r in ranks.itertuples()}
    sharing = Counter((criterion, rank) for (criterion, _), rank in rank_of.items())
    models = sorted(
        dict.fromkeys(mine["model"]), key=lambda model: rank_of.get((lead, model), math.inf)
    )

    def place(criterion: str, model: str) -> tuple[str, str]:
        """The rank of a model, and the chance of that rank."""
        rank = rank_of.get((criterion, model), math.nan)
        if math.isnan(rank):
            return "", ""
        if (others := sharing[criterion, rank]) > 1:
            return rank_text(rank, others), SHARED
        chance = chance_of_rank(frames, (criterion, metric, model), rank)
        return rank_text(rank), percent_text(chance)

    rows = []
    for model in models:
        ranks, chances = zip(*(place(criterion, model) for criterion in criteria), strict=True)
        scores = tuple(score_of.get((criterion, model), "") for criterion in criteria)
        name, words = labels.get(model, model), _words(frames, model)
        queries = _queries(frames, (lead, metric, model))
        note = _note(mine[mine["model"] == model], labels)
        rows.append(Standing(name, model == subject, ranks, chances, scores, queries, words, note))
    shown = tuple(row for row in rows if row.is_subject or any(row.ranks))
    unranked = tuple(row for row in rows if row not in shown)
    return LeaderTable(labels.get(metric, metric), criteria, shown, unranked)


def _queries(frames: Mapping[str, pd.DataFrame], place: tuple[str, ...]) -> str:
    ranking = frames["ranking"]
    if "n_defined" not in ranking:
        return ""
    computed = ranking[ranking["source"] == "computed"]
    row = computed[(computed[PLACE] == list(place)).all(axis=1)]
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
    if rows["rank"].notna().any() or "note" not in rows:
        return ""
    notes = rows["note"].dropna()
    return with_labels(str(notes.iloc[0]), labels) if len(notes) else ""


def with_labels(text: str, labels: Mapping[str, str]) -> str:
    """A text in which labels replace the names of models and metrics."""
    names = sorted(labels, key=len, reverse=True)
    pattern = "|".join(map(re.escape, names))
    return re.sub(rf"(?<![\w-])(?:{pattern})(?![\w-])", lambda m: labels[m[0]], text)
