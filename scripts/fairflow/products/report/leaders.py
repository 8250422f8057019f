"""Where the models of a study stand: one table of models and criteria, by one metric."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

OVERALL = "Overall"
# An effect size is in units of the spread of associations, which differs between vectors: of random
# words' cosines it is the greater the fewer dimensions there are, and other measures grow with it.
COMPARABLE = "effect_size"
PLACE = ["criterion", "metric", "model"]
SHARED = "tie"


@dataclass(frozen=True)
class Standing:
    """A model's row: its rank on each criterion, how sure it is, and on how much it rests.

    Attributes
    ----------
    ranks : a text for each criterion, "" without rank.
    chances : of that rank, "" if not known, `SHARED` of a rank that several models have.
    queries : defined ones of all, words : share of the words that it holds; "" if not known.
    note : why it has no rank, else "".
    """

    model: str
    is_subject: bool
    ranks: tuple[str, ...]
    chances: tuple[str, ...]
    queries: str
    words: str
    note: str


@dataclass(frozen=True)
class LeaderTable:
    """Models by criteria, the model with the least association first.

    Attributes
    ----------
    rows : the models that have a rank, and that which the study is about.
    unranked : the others, with why they have none.
    """

    metric: str
    criteria: tuple[str, ...]
    rows: tuple[Standing, ...]
    unranked: tuple[Standing, ...]


def ranked(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The computed ranks of a study, rows of models that have one; no columns without the table.

    Metrics whose measure is an effect size come first, else they stand as in the study.
    """
    ranking = frames.get("ranking", pd.DataFrame())
    if ranking.empty:
        return pd.DataFrame(columns=[*PLACE, "rank", "score"])
    of_run = ranking[ranking["source"] == "computed"].dropna(subset="rank")
    several = of_run.groupby(["criterion", "metric"], sort=False)["model"].transform("nunique") > 1
    rows = of_run[several]
    scores = frames["scores"].reindex(columns=["metric", "measure", "headline"])
    is_effect = scores["headline"].eq(True) & (scores["measure"] == COMPARABLE)
    comparable = {*scores.loc[is_effect, "metric"]}
    return rows.sort_values("metric", key=lambda names: ~names.isin(comparable), kind="stable")


def lead_metric(frames: Mapping[str, pd.DataFrame]) -> str | None:
    """The metric by which models are best compared: the first that ranks two; None without."""
    ranks = ranked(frames)
    return None if ranks.empty else str(ranks["metric"].iloc[0])


def lead_criterion(criteria: Sequence[str]) -> str:
    """All queries together if they are among the criteria, else the first."""
    return OVERALL if OVERALL in criteria else criteria[0]


def leader_tables(
    frames: Mapping[str, pd.DataFrame], labels: Mapping[str, str], subject: str = ""
) -> tuple[LeaderTable, ...]:
    """A table for each metric by which models are ranked, that by which they compare best first.

    Parameters
    ----------
    frames : tables of the study by name; without "ranking" there is none to make, and what
        "rank_probabilities", "aggregates" and "coverage" would tell is left out without them.
    subject : the model that the study is about.
    """
    ranks = ranked(frames)
    return tuple(
        _leader_table(frames, rows, str(metric), labels, subject)
        for metric, rows in ranks.groupby("metric", sort=False)
    )


def probability_text(chance: float) -> str:
    """A probability with two digits, never 0 or 1, as draws are few; "" if it is not known."""
    if math.isnan(chance):
        return ""
    return ">0.99" if chance >= 0.995 else "<0.01" if chance < 0.005 else f"{chance:.2f}"


def rank_text(rank: float, sharing: int = 1) -> str:
    """'2'; of two or more that share a rank the places that they take, '1-2'."""
    half = (sharing - 1) / 2
    return f"{rank:.0f}" if sharing == 1 else f"{rank - half:.0f}-{rank + half:.0f}"


def chance_of_rank(
    frames: Mapping[str, pd.DataFrame], place: tuple[str, ...], rank: float
) -> float:
    """How often a model has its rank when words are drawn anew; NaN without draws.

    Parameters
    ----------
    place : criterion, metric and model. rank : the places on both sides of it count.
    """
    chances = frames.get("rank_probabilities", pd.DataFrame())
    if chances.empty:
        return math.nan
    of_model = chances[(chances[PLACE] == list(place)).all(axis=1)]
    there = of_model["place"].isin([math.floor(rank), math.ceil(rank)])
    return float(of_model.loc[there, "probability"].sum()) if len(of_model) else math.nan


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
    sharing = Counter((criterion, rank) for (criterion, _), rank in rank_of.items())
    models = sorted(
        dict.fromkeys(mine["model"]), key=lambda model: rank_of.get((lead, model), math.inf)
    )
    rows = []
    for model in models:
        own = [(criterion, rank_of.get((criterion, model), math.nan)) for criterion in criteria]
        rows.append(
            Standing(
                model=labels.get(model, model),
                is_subject=model == subject,
                ranks=tuple("" if math.isnan(r) else rank_text(r, sharing[c, r]) for c, r in own),
                chances=tuple(
                    ""
                    if math.isnan(r)
                    else SHARED
                    if sharing[c, r] > 1
                    else probability_text(chance_of_rank(frames, (c, metric, model), r))
                    for c, r in own
                ),
                queries=_queries(frames, (lead, metric, model)),
                words=_words(frames, model),
                note=_note(mine[mine["model"] == model], labels),
            )
        )
    shown = tuple(row for row in rows if row.is_subject or any(row.ranks))
    unranked = tuple(row for row in rows if row not in shown)
    return LeaderTable(labels.get(metric, metric), criteria, shown, unranked)


def _queries(frames: Mapping[str, pd.DataFrame], place: tuple[str, ...]) -> str:
    aggregates = frames.get("aggregates", pd.DataFrame())
    if "n_defined" not in aggregates:
        return ""
    row = aggregates[(aggregates[PLACE] == list(place)).all(axis=1)]
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
    """A text with the labels of the models and metrics whose names stand in it."""
    names = sorted(labels, key=len, reverse=True)
    pattern = "|".join(map(re.escape, names))
    return re.sub(rf"(?<![\w-])(?:{pattern})(?![\w-])", lambda m: labels[m[0]], text)
