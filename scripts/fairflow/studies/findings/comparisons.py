"""The ranks, mean scores and quality of a study's models, and why some models are not compared.

The models are ranked by the metric that compares them best, over all queries where there is such a
criterion. Which model is more biased, and how sure that is, `headline` says and nothing else here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import pandas as pd

from fairflow.studies.aggregation import OVERALL
from fairflow.studies.comparability import ALONE, NO_RIVALS, SCALES_WITH_DIMENSION, UNDEFINED
from fairflow.studies.findings.finding import Finding, Results, of_table
from fairflow.studies.ranking import LESS, MORE, PROBABLY_LESS, PROBABLY_MORE
from fairflow.studies.wording import listed, with_interval

# An effect size is in units of the spread of associations, which differs between models: cosines of
# random words spread more in fewer dimensions, and other measures grow with this spread.
COMPARABLE = "effect_size"
PLACE = ["criterion", "metric", "model"]
MORE_BIASED, LESS_BIASED = (MORE, PROBABLY_MORE), (LESS, PROBABLY_LESS)
# Pairs of models that are named; the others are counted.
MOST_NAMED = 3
WEAKER = "Weaker associations may mean a poorer model."


def same_vectors(results: Results) -> Iterator[Finding]:
    """Which models have the same vectors, so that they are not compared."""
    names_of: dict[str, list[str]] = {}
    for model, name in results.vectors.items():
        names_of.setdefault(name, []).append(results.labels[model])
    only_one = "only one of them is compared with other models"
    what = "no model is compared with another" if len(names_of) == 1 else only_one
    for names in names_of.values():
        if len(names) > 1:
            same = f"{listed(names)} have the same vectors, whole, in part or at another length"
            yield Finding(f"{same}: {what}.", table="ranking")


def ranked(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The computed ranks of a study; no rows where it has no table of ranks.

    Metrics whose measure is an effect size come first, the others in the study's order.
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
    """The metric that compares models best: the first that ranks two; None where none does."""
    ranks = ranked(frames)
    return None if ranks.empty else str(ranks["metric"].iloc[0])


def lead_criterion(criteria: Sequence[str]) -> str:
    """The criterion of all queries if there is one, else the first."""
    return OVERALL if OVERALL in criteria else criteria[0]


def chance_of_rank(
    frames: Mapping[str, pd.DataFrame], place: tuple[str, ...], rank: float
) -> float:
    """In what share of word resamples a model has its rank; NaN without resamples.

    Parameters
    ----------
    place : criterion, metric and model. rank : the places on both sides of it count.
    """
    of_model = at_place(frames.get("rank_probabilities", pd.DataFrame()), *place)
    there = of_model["place"].isin([math.floor(rank), math.ceil(rank)])
    return float(of_model.loc[there, "probability"].sum()) if len(of_model) else math.nan


def at_place(table: pd.DataFrame, *place: str) -> pd.DataFrame:
    """The rows of a criterion, metric and model; an empty table keeps its columns."""
    if table.empty:
        return pd.DataFrame(columns=[*PLACE, "other", "verdict", "place", "probability"])
    return table[(table[PLACE] == list(place)).all(axis=1)]


@dataclass(frozen=True)
class Ranks:
    """The ranks by the metric that compares models best.

    Attributes
    ----------
    metric, criterion : by which the headline compares. every : the ranks on all criteria.
    """

    results: Results
    metric: str
    criterion: str
    every: pd.DataFrame

    @property
    def rows(self) -> pd.DataFrame:
        """Models in the order of their ranks on that criterion, the least biased first."""
        return self.of(self.criterion)

    def of(self, criterion: str) -> pd.DataFrame:
        """Models in the order of their ranks on a criterion."""
        rows = self.every[self.every["criterion"] == criterion]
        return rows.sort_values("rank", kind="stable")

    @property
    def where(self) -> str:
        """'over all queries'."""
        return where_text(self.criterion)


def where_text(criterion: str) -> str:
    """'over all queries' or 'on Gender'."""
    return "over all queries" if criterion == OVERALL else f"on {criterion}"


def ranks_of(results: Results) -> Ranks | None:
    """The ranks by the metric that compares models best; None where no models are ranked."""
    rows = ranked(results.frames)
    if rows.empty:
        return None
    metric = str(rows["metric"].iloc[0])
    rows = rows[rows["metric"] == metric]
    return Ranks(results, metric, lead_criterion([*rows["criterion"]]), rows)


def mean_scores(results: Results) -> Iterator[Finding]:
    """The mean score of each model on each criterion, the least biased first."""
    ranks = ranks_of(results)
    if ranks is None:
        return
    labels = results.labels
    criteria = [ranks.criterion, *dict.fromkeys(ranks.every["criterion"])]
    parts = []
    for criterion in dict.fromkeys(criteria):
        rows = ranks.of(criterion)
        each = (f"{labels[row.model]} {row.score:.2f}" for row in rows.itertuples())
        parts.append(f"{where_text(criterion)} {', '.join(each)}")
    text = f"Mean {labels[ranks.metric]}, least biased first: {'; '.join(parts)}."
    yield Finding(text, table="ranking", numbers={"metric": ranks.metric})


def quality_of_models(results: Results) -> Iterator[Finding]:
    """How well the cosines of each model agree with human judgements of similarity."""
    rows = best_benchmark(results)
    if rows.empty:
        return
    labels, models = results.labels, [*rows["model"]]
    each = listed(f"{labels[row.model]} {row.value:.2f}" for row in rows.itertuples())
    own = [results.subject] if results.subject in models else models
    poorer = [poorer_model(results, *pair) for pair in product(own, models)]
    worse = " ".join(filter(None, poorer))
    yield Finding(
        f"Quality (agreement of cosines with human similarity ratings, {rows['subject'].iloc[0]}): "
        f"{each}.",
        caution=f"{worse} {WEAKER}" if worse else "",
        table="quality",
        leads=True,
        numbers={row.model: float(row.value) for row in rows.itertuples()},
    )


def best_benchmark(results: Results) -> pd.DataFrame:
    """The values on the benchmark with the most pairs, of the models that are compared.

    A comparison before and after has its own table for this.
    """
    quality, ranks = results.table("quality"), ranks_of(results)
    if quality.empty or len(results.table("before_after")):
        return quality.iloc[:0]
    models = {*ranks.every["model"]} if ranks else {*results.labels}
    rows = quality[quality["other"].isna() & quality["model"].isin(models | {results.subject})]
    rows = rows.dropna(subset="value")
    if rows.empty:
        return rows
    rows = rows[rows["subject"] == rows.loc[rows["n"].idxmax(), "subject"]]
    names = rows["model"].map(lambda model: results.vectors.get(model, model))
    return rows[~names.duplicated()]


def poorer_model(results: Results, model: str, other: str) -> str:
    """A sentence where a model is clearly worse than another on the largest benchmark; else ""."""
    quality, labels = results.table("quality"), results.labels
    if quality.empty:
        return ""
    rows = quality[(quality["model"] == model) & (quality["other"] == other)]
    rows = rows.dropna(subset="difference").sort_values("n", ascending=False, kind="stable")
    if rows.empty or not rows["difference_high"].iloc[0] < 0:
        return ""
    row = rows.iloc[0]
    difference = with_interval(*row[["difference", "difference_low", "difference_high"]])
    lower = f"{labels[model]} has a lower quality than {labels[other]}"
    return f"{lower} (difference on the pairs that both have: {difference})."


@of_table("ranking")
def not_ranked(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """On which criteria no models are ranked, because they share too few (sub-)queries."""
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
                f"No model is ranked by {results.labels[metric]} on {listed(where)}: too few "
                "(sub-)queries are defined by several models."
            )


def _rivals(table: pd.DataFrame) -> pd.DataFrame:
    """The computed rows of a ranking, without models that are compared with no other."""
    return table[(table["source"] == "computed") & ~table["status"].isin(NO_RIVALS)]


@of_table("ranking")
def depends_on_vectors(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """Which metrics compare no models, because values depend on dimension or vector length."""
    rivals, scale, labels = _rivals(table), results.table("length_sensitivity"), results.labels
    if rivals["model"].nunique() < 2:
        return
    none = "they do not compare models."
    hang = rivals.loc[rivals["status"] == SCALES_WITH_DIMENSION, "metric"].unique()
    if len(hang):
        names = listed(labels[metric] for metric in hang)
        # The models of an embedding have as many dimensions in each subcorpus.
        what = "embeddings" if len(results.table("corpus_scores")) else "models"
        text = f"Values of {names} depend on the number of dimensions: they do not compare {what}."
        yield Finding(text)
    scaling = scale[scale["scales_with_length"].astype(bool)] if len(scale) else scale
    if scaling.empty or "norm_r2" not in scaling:
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
