"""What a study lets one conclude about its models beside each other.

The models are ranked by the metric that compares them best, over all queries where there is such a
criterion. Which of two models is the less biased, and how sure that is, the column `verdict` of the
table pairwise says (`fairflow.studies.ranking.verdict`); nothing else decides it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from fairflow.studies import ranking
from fairflow.studies.aggregation import OVERALL
from fairflow.studies.comparability import ALONE, NO_RIVALS, SCALES_WITH_DIMENSION, UNDEFINED
from fairflow.studies.findings.finding import Finding, Results, of_table
from fairflow.studies.ranking import LESS, MORE, OPEN, PROBABLY_LESS, PROBABLY_MORE, UNKNOWN
from fairflow.studies.wording import counted, listed, probability_text, short_number

# An effect size is in units of the spread of associations, which differs between vectors: of random
# words' cosines it is the greater the fewer dimensions there are, and other measures grow with it.
COMPARABLE = "effect_size"
PLACE = ["criterion", "metric", "model"]
MORE_BIASED, LESS_BIASED = (MORE, PROBABLY_MORE), (LESS, PROBABLY_LESS)
# The verdicts, in the order in which they are told, and what stands between two models.
_BETWEEN = dict.fromkeys((MORE, PROBABLY_MORE, LESS, PROBABLY_LESS), "than")
_BETWEEN |= {OPEN: "from", UNKNOWN: "against"}
# Pairs of models that are named; the others are counted.
MOST_NAMED = 3


def same_vectors(results: Results) -> Iterator[Finding]:
    """Which models are the same vectors, so that they are not compared."""
    names_of: dict[str, list[str]] = {}
    for model, name in results.vectors.items():
        names_of.setdefault(name, []).append(results.labels[model])
    compared = "one alone is compared with other models"
    what = "no model is compared with another" if len(names_of) == 1 else compared
    same = "are the same vectors, whole, in part or at another length"
    for names in names_of.values():
        if len(names) > 1:
            yield Finding(f"{listed(names)} {same}: {what}.", table="ranking")


def ranked(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The computed ranks of a study, rows of models that have one; no columns without the table.

    Metrics whose measure is an effect size come first, else they stand as in the study.
    """
    table = frames.get("ranking", pd.DataFrame())
    if table.empty:
        return pd.DataFrame(columns=[*PLACE, "rank", "score"])
    of_run = table[table["source"] == "computed"].dropna(subset="rank")
    several = of_run.groupby(["criterion", "metric"], sort=False)["model"].transform("nunique") > 1
    scores = frames["scores"]
    comparable = {*scores.loc[scores["is_primary"] & (scores["measure"] == COMPARABLE), "metric"]}
    return of_run[several].sort_values(
        "metric", key=lambda names: ~names.isin(comparable), kind="stable"
    )


def lead_metric(frames: Mapping[str, pd.DataFrame]) -> str | None:
    """The metric by which models are best compared: the first that ranks two; None without."""
    ranks = ranked(frames)
    return None if ranks.empty else str(ranks["metric"].iloc[0])


def lead_criterion(criteria: Sequence[str]) -> str:
    """All queries together if they are among the criteria, else the first."""
    return OVERALL if OVERALL in criteria else criteria[0]


def chance_of_rank(
    frames: Mapping[str, pd.DataFrame], place: tuple[str, ...], rank: float
) -> float:
    """How often a model has its rank when words are drawn anew; NaN without draws.

    Parameters
    ----------
    place : criterion, metric and model. rank : the places on both sides of it count.
    """
    of_model = _at(frames.get("rank_probabilities", pd.DataFrame()), *place)
    there = of_model["place"].isin([math.floor(rank), math.ceil(rank)])
    return float(of_model.loc[there, "probability"].sum()) if len(of_model) else math.nan


def _at(table: pd.DataFrame, *place: str) -> pd.DataFrame:
    """The rows of a criterion, metric and model; with these columns where there is no table."""
    if table.empty:
        return pd.DataFrame(columns=[*PLACE, "other", "verdict", "place", "probability"])
    return table[(table[PLACE] == list(place)).all(axis=1)]


@dataclass(frozen=True)
class Ranks:
    """The ranks of the metric that leads."""

    results: Results
    metric: str
    criterion: str
    every: pd.DataFrame

    @property
    def rows(self) -> pd.DataFrame:
        """Models by rank on the criterion that leads."""
        return self.of(self.criterion)

    def of(self, criterion: str) -> pd.DataFrame:
        """Models by rank."""
        rows = self.every[self.every["criterion"] == criterion]
        return rows.sort_values("rank", kind="stable")

    @property
    def by(self) -> str:
        """'By WEAT over all queries'."""
        return f"By {self.results.labels[self.metric]} {self.where}"

    @property
    def where(self) -> str:
        return "over all queries" if self.criterion == OVERALL else f"on {self.criterion}"

    def place(self, row: Mapping[str, Any]) -> tuple[list[str], float]:
        """The labels of the models that share a rank, and how sure it is."""
        same = (self.every[["criterion", "rank"]] == [row["criterion"], row["rank"]]).all(axis=1)
        labels = [self.results.labels[model] for model in self.every.loc[same, "model"]]
        where = row["criterion"], self.metric, row["model"]
        return labels, chance_of_rank(self.results.frames, where, row["rank"])

    def pairs_of(self, model: str) -> pd.DataFrame:
        """A model beside each other one on the criterion that leads."""
        return _at(self.results.table("pairwise"), self.criterion, self.metric, model)

    def poorer(self, model: str) -> str:
        """That a model is a poorer one than those which are more biased; "" if it is not."""
        rows = self.pairs_of(model)
        others = rows.loc[rows["verdict"].isin(LESS_BIASED), "other"]
        return _poorer(self.results, [(model, other) for other in others])


def ranks_of(results: Results) -> Ranks | None:
    """The ranks by the metric that leads; None where no models are ranked."""
    rows = ranked(results.frames)
    if rows.empty:
        return None
    metric = str(rows["metric"].iloc[0])
    rows = rows[rows["metric"] == metric]
    return Ranks(results, metric, lead_criterion([*rows["criterion"]]), rows)


def order_of_models(results: Results) -> Iterator[Finding]:
    """Which of two models is the more biased, or who is the most and the least of several."""
    ranks = ranks_of(results)
    if ranks is None or results.subject:
        return
    n, rows = len(ranks.rows), ranks.rows
    if rows["rank"].nunique() == 1:
        names = " and ".join(results.labels[model] for model in rows["model"])
        none = f"None of {n} models can be told from another."
        claim = f"{names} cannot be told apart." if n == 2 else none
        equal = f"{ranks.by} their scores are equal: {short_number(rows['score'].iloc[0])}."
        yield Finding(claim, equal, verdict=OPEN, table="ranking", leads=True)
    elif n == 2:
        yield _order_of_two(ranks, *rows.to_dict("records"))
    else:
        yield _extreme(ranks, rows.iloc[-1], "most")
        yield _extreme(ranks, rows.iloc[0], "least")


def _order_of_two(ranks: Ranks, less: Mapping[str, Any], more: Mapping[str, Any]) -> Finding:
    labels, names = ranks.results.labels, (more["model"], less["model"])
    rows = ranks.pairs_of(more["model"])
    verdict, chance, over_queries = UNKNOWN, math.nan, ""
    if len(rows):
        pair = rows[rows["other"] == less["model"]].iloc[0]
        verdict, chance = pair["verdict"], float(pair["p_fairer"])
        if pair["n_groups"] >= ranking.FEWEST_QUERIES and not math.isnan(pair["wilcoxon_holm"]):
            over_queries = f"Over queries p = {pair['wilcoxon_holm']:.2g} (Wilcoxon's test)."
    claim = f"{labels[names[0]]} and {labels[names[1]]} cannot be told apart"
    if verdict in MORE_BIASED:
        claim = f"{labels[names[0]]} is {verdict} than {labels[names[1]]}"
    elif verdict == UNKNOWN:
        claim = f"{labels[names[0]]} has the larger bias of two models; chance is not ruled out"
    scores = f"{short_number(more['score'])} against {short_number(less['score'])}"
    return Finding(
        f"{claim}.",
        f"{ranks.by}: {scores} ({_sure(1 - chance, 'the same order')}).",
        caution=ranks.poorer(less["model"]),
        detail=over_queries,
        verdict=verdict,
        table="pairwise",
        leads=True,
        numbers={"more": names[0], "less": names[1]},
    )


def _extreme(ranks: Ranks, row: pd.Series, what: str) -> Finding:
    """Who is the most or the least biased of several models, and how sure that is."""
    n, model = len(ranks.rows), row["model"]
    shared, chance = ranks.place(row)
    claim = f"Which of {n} models is the {what} biased is not settled"
    verdict, sure = OPEN, "a place that they share"
    if len(shared) > 1:
        claim = f"{claim}: {listed(shared)} are equal"
    else:
        (label,), sure = shared, _sure(chance, "the same place")
        plainly, probably = MORE_BIASED if what == "most" else LESS_BIASED
        verdicts = {*ranks.pairs_of(model)["verdict"]} or {UNKNOWN}
        if not verdicts <= {plainly, probably} or chance < ranking.LIKELY:
            claim = f"{claim}: {label} is ahead"
        else:
            plain = verdicts == {plainly} and chance >= ranking.SURE
            verdict = plainly if plain else probably
            claim = f"{label} is {'' if plain else 'probably '}the {what} biased of {n} models"
    return Finding(
        f"{claim}.",
        f"{ranks.by}: {short_number(row['score'])} ({sure}).",
        caution=ranks.poorer(model) if what == "least" and verdict != OPEN else "",
        detail=_extremes(ranks, what),
        verdict=verdict,
        table="rank_probabilities",
        leads=True,
        numbers={"model": model},
    )


def _extremes(ranks: Ranks, what: str) -> str:
    """Who is the most or least biased on each of the other criteria."""
    parts = []
    others = ranks.every[ranks.every["criterion"] != ranks.criterion]
    for criterion in others["criterion"].unique():
        shared, chance = ranks.place(ranks.of(criterion).iloc[-1 if what == "most" else 0])
        known = "equal" if len(shared) > 1 else probability_text(chance)
        parts.append(f"on {criterion} {' / '.join(shared)}" + f" ({known})" * bool(known))
    return f"The {what} {listed(parts)}." if parts else ""


def _sure(chance: float, what: str) -> str:
    """How sure an order is."""
    if math.isnan(chance):
        return "how sure that is was not measured"
    return f"{what} with probability {probability_text(chance)} had other words been drawn"


def place_of_subject(results: Results) -> Iterator[Finding]:
    """The rank of the model that a study is about, and whom it is told apart from."""
    ranks, subject = ranks_of(results), results.subject
    if ranks is None or not subject:
        return
    label, rows = results.labels[subject], ranks.rows
    mine = rows[rows["model"] == subject]
    numbers = {"model": subject}
    if mine.empty:
        note = f"{ranks.by} it cannot be compared: the table says why."
        yield Finding(f"{label} has no rank.", note, table="ranking", leads=True, numbers=numbers)
        return
    row = mine.iloc[0]
    same, chance = ranks.place(row)
    shared = [name for name in same if name != label]
    place = int((rows["rank"] < row["rank"]).sum()) + 1
    held = f"shared with {listed(shared)}" if shared else _sure(chance, "the same place")
    beside = standing(results, ranks.criterion, ranks.metric)
    yield Finding(
        f"{label} is {beside or UNKNOWN}.",
        f"{ranks.by} it has place {place} of {len(rows)}, counted from the least biased: "
        f"{short_number(row['score'])} ({held}).",
        caution=ranks.poorer(subject),
        table="pairwise",
        leads=True,
        numbers=numbers | {"place": place, "of": len(rows)},
    )


def standing(results: Results, criterion: str, metric: str) -> str:
    """'less biased than A (0.98) and not told apart from B'; "" if it is compared with none."""
    told: dict[str, list[str]] = {}
    for row in _at(results.table("pairwise"), criterion, metric, results.subject).itertuples():
        sure = f" ({probability_text(max(row.p_fairer, 1 - row.p_fairer))})"
        known = row.verdict not in (OPEN, UNKNOWN)
        told.setdefault(row.verdict, []).append(results.labels[row.other] + sure * known)
    found = [verdict for verdict in _BETWEEN if verdict in told]
    return listed(f"{verdict} {_BETWEEN[verdict]} {listed(told[verdict])}" for verdict in found)


@of_table("pairwise")
def agreement_of_metrics(results: Results, pairs: pd.DataFrame) -> Iterator[Finding]:
    """Whether metrics that tell the models apart name the same one the most biased."""
    ranks = ranks_of(results)
    if ranks is None:
        return
    here = pairs[pairs["criterion"] == ranks.criterion]
    named = {
        results.labels[metric]: results.labels[model]
        for (metric, model), rows in here.groupby(["metric", "model"], sort=False)
        if rows["verdict"].isin(MORE_BIASED).all()
    }
    if len(named) < 2:
        return
    if len({*named.values()}) > 1:
        claim = "Metrics disagree on the most biased model."
        told = [f"{metric} {model}" for metric, model in named.items()]
    else:
        every = "Both" if len(named) == 2 else f"All {len(named)}"
        first = next(iter(named.values()))
        claim = f"{every} metrics that tell models apart name {first} the most biased."
        told = [*named]
    where = f"{ranks.where[0].upper()}{ranks.where[1:]}"
    yield Finding(claim, f"{where}: {listed(told)}.", leads=True)


@of_table("pairwise")
def told_apart(results: Results, pairwise: pd.DataFrame) -> Iterator[Finding]:
    """Which of two models is the less biased, by every metric and criterion that tells it."""
    labels, less = results.labels, pairwise[pairwise["verdict"].isin(LESS_BIASED)]
    # The plain verdicts first.
    by_verdict = less.sort_values("verdict", key=lambda v: v.map(LESS_BIASED.index), kind="stable")
    pairs = list(by_verdict.groupby(["verdict", "model", "other"], sort=False))
    if not pairs:
        return
    told = []
    for (verdict, model, other), rows in pairs[:MOST_NAMED]:
        by = (
            f"{labels[row.metric]} on {row.criterion} ({probability_text(row.p_fairer)})"
            for row in rows.itertuples()
        )
        told.append(f"{labels[model]} is {verdict} than {labels[other]} by {listed(by)}")
    more = f"; and {counted(len(pairs) - MOST_NAMED, 'other pair')} of models differ"
    yield Finding(
        f"{'; '.join(told)}{more if len(pairs) > MOST_NAMED else ''} (in parentheses the share of "
        "draws in which the order is the same).",
        caution=_poorer(results, [pair for (_, *pair), _ in pairs]),
        verdict=pairs[0][0][0],
        leads=True,
        numbers={"pairs": len(pairs)},
    )


@of_table("pairwise")
def not_told_apart(results: Results, pairwise: pd.DataFrame) -> Iterator[Finding]:
    """By what no two models are told apart, and by what it was not tested."""
    labels = results.labels
    undecided = [
        f"{labels[metric]} on {criterion}"
        for (criterion, metric), rows in pairwise.groupby(["criterion", "metric"], sort=False)
        if (rows["verdict"] == OPEN).all()
    ]
    if undecided:
        rivals = pairwise["model"].unique()
        names = listed(labels[model] for model in rivals)
        who = f"{names} are not" if len(rivals) == 2 else "No two models are"
        text = f"{who} told apart by {listed(undecided)}: their order there may be chance."
        yield Finding(text, verdict=OPEN)
    untested = pairwise.loc[pairwise["verdict"] == UNKNOWN, "metric"].unique()
    if len(untested):
        names = listed(labels[metric] for metric in untested)
        text = f"Whether models differ by {names} was not tested, as no words were drawn."
        yield Finding(text, verdict=UNKNOWN)


def _poorer(results: Results, pairs: Sequence[Sequence[str]]) -> str:
    """That models are poorer than those which they are less biased than; "" if none is."""
    told = [poorer_model(results, *pair) for pair in dict.fromkeys(map(tuple, pairs))]
    found = " ".join(filter(None, told))
    return f"{found} Noise makes every association smaller." if found else ""


def poorer_model(results: Results, model: str, other: str) -> str:
    """A sentence, where a model is poorer than another by the benchmark of most pairs; else ""."""
    quality, labels = results.table("quality"), results.labels
    if quality.empty:
        return ""
    rows = quality[(quality["model"] == model) & (quality["other"] == other)]
    rows = rows.dropna(subset="difference").sort_values("n", ascending=False, kind="stable")
    if rows.empty or not rows["difference_high"].iloc[0] < 0:
        return ""
    row = rows.iloc[0]
    return (
        f"{labels[model]} is also a poorer model than {labels[other]}: its cosines agree less with "
        f"the similarity that people see ({row['subject']}, correlation {row['value']:.2f}, "
        f"difference {row['difference']:.2f} [{row['difference_low']:.2f}, "
        f"{row['difference_high']:.2f}])."
    )


@of_table("ranking")
def not_ranked(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """Where models that differ have no ranks, because they share too few (sub-)queries."""
    for metric, rows in _rivals(table).groupby("metric", sort=False):
        where = [
            str(criterion)
            for criterion, ranks in rows.groupby("criterion", sort=False)
            if ranks["model"].nunique() > 1
            and ranks["rank"].isna().all()
            and ranks["status"].isin([ALONE, UNDEFINED]).any()
        ]
        if where:
            yield Finding(
                f"By {results.labels[metric]} nobody is ranked on {listed(where)}: too few "
                "(sub-)queries are defined by several models."
            )


def _rivals(table: pd.DataFrame) -> pd.DataFrame:
    """The computed rows of a ranking, of models that have one to be compared with."""
    return table[(table["source"] == "computed") & ~table["status"].isin(NO_RIVALS)]


@of_table("ranking")
def hanging_on_vectors(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """By which metrics nobody is compared: those that hang on dimension, and on length how far."""
    rivals, scale, labels = _rivals(table), results.table("length_sensitivity"), results.labels
    if rivals["model"].nunique() < 2:
        return
    none = "no models are ranked or compared by them."
    hang = rivals.loc[rivals["status"] == SCALES_WITH_DIMENSION, "metric"].unique()
    if len(hang):
        names = listed(labels[metric] for metric in hang)
        yield Finding(f"Chance makes values of {names} larger in fewer dimensions: {none}")
    scaling = scale[scale["scales_with_length"].astype(bool)] if len(scale) else scale
    if scaling.empty:
        return
    names = listed(labels[metric] for metric in scaling["metric"].unique())
    yield Finding(
        f"Values of {names} grow with the length of vectors: {none}", table="length_sensitivity"
    )
    for metric, rows in scaling.dropna(subset="norm_r2").groupby("metric", sort=False):
        shares = {f"{share:.0%}" for share in rows["norm_r2"].agg(["min", "max"])}
        yield Finding(
            f"The mean length of the vectors alone explains {' to '.join(sorted(shares, key=len))} "
            f"of the variance of the order of {rows['n_models'].max()} models by {labels[metric]}.",
            table="length_sensitivity",
        )
