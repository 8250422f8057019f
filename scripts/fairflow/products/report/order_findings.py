"""Who is more biased than whom, in sentences, and how sure that is.

It follows from the ranks by the metric that compares models best, over all queries where there is
such a row. How sure it is, is the share of draws of words in which the same order comes out: from
`SURE` it is stated plainly, from `LIKELY` as probable, and below nothing is said to differ. Of two
models that Wilcoxon's test over queries does not tell apart, it is a step less sure.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pandas as pd

from fairflow.products.report.html_table import number_text
from fairflow.products.report.leaders import (
    OVERALL,
    chance_of_rank,
    lead_criterion,
    lead_metric,
    probability_text,
    ranked,
)
from fairflow.studies.wording import listed

SURE, LIKELY, ALPHA = 0.95, 0.9, 0.05
FEWEST_QUERIES = 6
Frames = Mapping[str, pd.DataFrame]
Labels = Mapping[str, str]


@dataclass(frozen=True)
class Finding:
    """A claim, what bears it out, the table of the study in which that stands, and what else.

    Attributes
    ----------
    clear : of scores of items, whether one is beyond chance.
    """

    claim: str
    support: str
    table: str
    more: str = ""
    clear: bool = False


@dataclass(frozen=True)
class Ranks:
    """The ranks of one metric, those of the lead criterion first."""

    frames: Frames
    labels: Labels
    metric: str
    criterion: str
    rows: pd.DataFrame

    @property
    def where(self) -> str:
        return "over all queries" if self.criterion == OVERALL else f"on {self.criterion}"

    def of(self, criterion: str) -> pd.DataFrame:
        """Models by rank."""
        rows = self.rows[self.rows["criterion"] == criterion]
        return rows.sort_values("rank", kind="stable")

    def sharing(self, criterion: str, rank: float) -> list[str]:
        """The labels of the models with this rank, more than one where scores are equal."""
        rows = self.of(criterion)
        return [self.labels[model] for model in rows.loc[rows["rank"] == rank, "model"]]

    def others(self) -> list[str]:
        names = dict.fromkeys(self.rows["criterion"])
        return [name for name in names if name != self.criterion]


def ranks_of(frames: Frames, labels: Labels) -> Ranks | None:
    """The ranks by the metric that leads; None where no models are ranked."""
    metric = lead_metric(frames)
    if metric is None:
        return None
    rows = ranked(frames)
    rows = rows[rows["metric"] == metric]
    return Ranks(frames, labels, metric, lead_criterion([*rows["criterion"]]), rows)


def order(ranks: Ranks) -> Iterator[Finding]:
    """Which of two models is the more biased, or who is the most and the least of several."""
    rows = ranks.of(ranks.criterion)
    if len(rows) == 2:
        yield _order_of_two(ranks, *rows["model"])
        return
    n = len(rows)
    if rows["rank"].nunique() == 1:
        yield Finding(f"None of {n} models can be told from another.", _all_equal(ranks), "ranking")
        return
    for row, what in ((rows.iloc[-1], "most"), (rows.iloc[0], "least")):
        place = (ranks.criterion, ranks.metric, row["model"])
        chance = chance_of_rank(ranks.frames, place, row["rank"])
        label = listed(shared := ranks.sharing(ranks.criterion, row["rank"]))
        open_ = f"Which of {n} models is the {what} biased is not settled"
        if len(shared) > 1:
            claim, sure = f"{open_}: {label} are equal", "a place that they share"
        else:
            sure = _sure(chance, "the same place")
            claim = (
                f"{label} is {_hedge(chance)}the {what} biased of {n} models"
                if math.isnan(chance) or chance >= LIKELY
                else f"{open_}: {label} is ahead"
            )
        measured = f"{_metric(ranks)} {ranks.where}: {number_text(row['score'])} ({sure})"
        more = _extremes(ranks, what)
        yield Finding(f"{claim}.", f"{measured}.", "rank_probabilities", more)


def _all_equal(ranks: Ranks) -> str:
    score = number_text(ranks.of(ranks.criterion)["score"].iloc[0])
    return f"{_metric(ranks)} {ranks.where} their scores are equal: {score}."


def _order_of_two(ranks: Ranks, less: str, more: str) -> Finding:
    if ranks.of(ranks.criterion)["rank"].nunique() == 1:
        names = f"{ranks.labels[less]} and {ranks.labels[more]}"
        return Finding(f"{names} cannot be told apart.", _all_equal(ranks), "ranking")
    scores = dict(ranks.of(ranks.criterion)[["model", "score"]].itertuples(index=False))
    chance, wilcoxon = _pair(ranks, ranks.criterion, less, more)
    support = (
        f"{_metric(ranks)} {ranks.where}: {number_text(scores[more])} against "
        f"{number_text(scores[less])} ({_sure(chance, 'the same order')})."
    )
    told = _by_criterion(ranks, less, more)
    if not math.isnan(wilcoxon):
        told = f"{told} Over queries p = {wilcoxon:.2g} (Wilcoxon's test)."
    compared = _compared(ranks.labels[more], ranks.labels[less], chance, wilcoxon)
    return Finding(f"{compared}.", support, "pairwise", told)


def _compared(more: str, less: str, chance: float, wilcoxon: float) -> str:
    by_queries_open = wilcoxon >= ALPHA
    if chance < (SURE if by_queries_open else LIKELY):
        return f"{more} and {less} cannot be told apart"
    probably = "probably " if by_queries_open else _hedge(chance)
    return f"{more} is {probably}more biased than {less}"


def _hedge(chance: float) -> str:
    return "probably " if chance < SURE else ""


def _sure(chance: float, what: str) -> str:
    """How sure an order is."""
    if math.isnan(chance):
        return "how sure that is was not measured"
    return f"{what} with probability {probability_text(chance)} had other words been drawn"


def _metric(ranks: Ranks) -> str:
    return f"By {ranks.labels[ranks.metric]}"


def _pair(ranks: Ranks, criterion: str, less: str, more: str) -> tuple[float, float]:
    """Chance that `less` shows less association than `more`, and Wilcoxon's p; NaN if not told."""
    pairs = ranks.frames.get("pairwise", pd.DataFrame())
    if pairs.empty:
        return math.nan, math.nan
    place = ["criterion", "metric", "model", "other"]
    row = pairs[(pairs[place] == [criterion, ranks.metric, less, more]).all(axis=1)]
    if row.empty:
        return math.nan, math.nan
    # With fewer queries the test has no p below 0.05, whatever the scores.
    few = int(row["n_queries"].iloc[0]) < FEWEST_QUERIES
    return float(row["p_fairer"].iloc[0]), math.nan if few else float(row["wilcoxon_holm"].iloc[0])


def _by_criterion(ranks: Ranks, less: str, more: str) -> str:
    """In which criteria the order of two models is the same, the other way round or unknown."""
    told: dict[str, list[str]] = {"The same": [], "The other way round": [], "Not told apart": []}
    for criterion in ranks.others():
        chance, _ = _pair(ranks, criterion, less, more)
        if math.isnan(chance):
            continue
        kind = "The same" if chance >= LIKELY else "The other way round"
        kind = "Not told apart" if 1 - LIKELY < chance < LIKELY else kind
        sure = probability_text(chance if chance >= 0.5 else 1 - chance)
        told[kind].append(f"{criterion} ({sure})")
    return " ".join(f"{kind} on {listed(names)}." for kind, names in told.items() if names)


def _extremes(ranks: Ranks, what: str) -> str:
    """Who is the most or least biased on each of the other criteria."""
    parts = []
    for criterion in ranks.others():
        row = ranks.of(criterion).iloc[-1 if what == "most" else 0]
        place = (criterion, ranks.metric, row["model"])
        chance = probability_text(chance_of_rank(ranks.frames, place, row["rank"]))
        shared = ranks.sharing(criterion, row["rank"])
        sure = " (equal)" if len(shared) > 1 else f" ({chance})" if chance else ""
        parts.append(f"on {criterion} {' / '.join(shared)}{sure}")
    return f"The {what} {listed(parts)}." if parts else ""


def where_it_stands(ranks: Ranks, subject: str) -> Iterator[Finding]:
    """The rank of the model that a study is about, and whom it is told apart from."""
    label = ranks.labels[subject]
    rows = ranks.of(ranks.criterion)
    mine = rows[rows["model"] == subject]
    if mine.empty:
        note = f"By {ranks.labels[ranks.metric]} it cannot be compared {ranks.where}"
        yield Finding(f"{label} has no rank.", f"{note}: the table says why.", "ranking")
        return
    rank = mine["rank"].iloc[0]
    chance = chance_of_rank(ranks.frames, (ranks.criterion, ranks.metric, subject), rank)
    shared = [name for name in ranks.sharing(ranks.criterion, rank) if name != label]
    place = int((rows["rank"] < rank).sum()) + 1
    held = f"shared with {listed(shared)}" if shared else _sure(chance, "the same place")
    told: dict[str, list[str]] = {"more": [], "less": [], "": []}
    for other in rows.loc[rows["model"] != subject, "model"]:
        less, _ = _pair(ranks, ranks.criterion, subject, other)
        kind = "less" if less >= LIKELY else "more" if less <= 1 - LIKELY else ""
        sure = probability_text(less if kind == "less" else 1 - less)
        told[kind].append(ranks.labels[other] + (f" ({sure})" if kind and sure else ""))
    parts = [
        f"{kind} biased than {listed(names)}" for kind, names in told.items() if kind and names
    ]
    if told[""]:
        parts.append(f"not told apart from {listed(told[''])}")
    yield Finding(
        f"{label} is {listed(parts)}.",
        f"{_metric(ranks)} {ranks.where} it has place {place} of {len(rows)}, counted from the "
        f"least biased: {number_text(mine['score'].iloc[0])} ({held}).",
        "pairwise",
    )


def agreement(ranks: Ranks) -> Iterator[Finding]:
    """Whether other metrics name the same model as the most biased; equal models are no name."""
    labels = ranks.labels
    rows = ranked(ranks.frames)
    rows = rows[rows["criterion"] == ranks.criterion]
    most = {
        str(metric): [*group.loc[group["rank"] == group["rank"].max(), "model"]]
        for metric, group in rows.groupby("metric", sort=False)
    }
    if len(most) < 2:
        return
    named = {metric: models[0] for metric, models in most.items() if len(models) == 1}
    where = f"{ranks.where[0].upper()}{ranks.where[1:]}"
    told = [labels[metric] for metric in named]
    ties = listed(labels[metric] for metric in most if metric not in named)
    if not named:
        none = "Neither metric" if len(most) == 2 else f"None of {len(most)} metrics"
        claim = f"{none} that ranks models names one the most biased."
        yield Finding(claim, f"{where} the first are equal by {ties}.", "ranking")
        return
    if len({*named.values()}) > 1:
        claim = "Metrics disagree on the most biased model."
        told = [f"{labels[metric]} {labels[model]}" for metric, model in named.items()]
    else:
        first = labels[next(iter(named.values()))]
        every = "Both" if len(most) == 2 else f"All {len(most)}"
        every = f"{len(named)} of {len(most)}" if ties else every
        name = "names" if len(named) == 1 else "name"
        claim = f"{every} metrics that rank models {name} {first} the most biased."
    equal = f" By {ties} several are equal." if ties else ""
    yield Finding(claim, f"{where}: {listed(told)}.{equal}", "ranking")
