"""Claims on two models: which has the larger mean absolute association on a criterion.

By the metric that compares models best. What contradicts it, and what makes a smaller mean no sign
of less bias, are gates: a poorer model has weaker associations of everything.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import lt
from typing import Any

import pandas as pd

from fairflow.capabilities import additions
from fairflow.scores.ranked import ranked_rows
from fairflow.statistics.rank_tests import ALPHA
from fairflow.studies import ranking
from fairflow.studies.aggregation import OVERALL
from fairflow.studies.claims import claim as kinds
from fairflow.studies.claims.claim import FAILED, OPEN, UNTESTED, Claim, Gate, Results, number
from fairflow.studies.comparability import ALONE, INCOMPARABLE, NO_RIVALS, UNDEFINED

# An effect size is in units of the spread of associations, which differs between models: cosines of
# random words spread more in fewer dimensions, and other measures grow with this spread.
COMPARABLE = "effect_size"
PLACE = ["criterion", "metric", "model"]
# Verdicts: of the subject; of the pair; of the less biased one of the pair; of a metric.
MORE, LESS, EQUAL = "more biased", "less biased", "equal"
NO_ASSOCIATION, DISAGREE, TOPICS = "no association", "metrics disagree", "topics disagree"
POORER, SAME_VECTORS, FEW = "poorer", "same vectors", "few queries"


def ranked(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The computed ranks of a study; no rows where it has no table of ranks.

    Metrics whose measure is an effect size come first, the others in the study's order.
    """
    table = frames.get("ranking", pd.DataFrame())
    if table.empty:
        return pd.DataFrame(columns=[*PLACE, "rank", "score"])
    of_run = table[table["source"] == "computed"].dropna(subset="rank")
    several = of_run.groupby(["criterion", "metric"], sort=False)["model"].transform("nunique") > 1
    scores = ranked_rows(frames["scores"])
    comparable = {*scores.loc[scores["measure"] == COMPARABLE, "metric"]}
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


def comparison_claims(results: Results, significant: set[str]) -> Iterator[Claim]:
    """Each pair of models on each criterion, the leading criterion first.

    Parameters
    ----------
    significant : the models with an association that is significant and beyond random words.
    """
    ranks, pairs = ranked(results.frames), results.table("pairwise")
    if len(ranks) and len(pairs):
        lead = str(ranks["metric"].iloc[0])
        criteria = [*ranks.loc[ranks["metric"] == lead, "criterion"].unique()]
        first = lead_criterion(criteria)
        others = pairs[pairs["metric"] != lead]
        made = {
            criterion: [
                _comparison(row, results, significant, others)
                for row in _each_pair(pairs, lead, criterion, results.subject)
            ]
            for criterion in dict.fromkeys([first, *criteria])
        }
        yield from _with_topics(made.pop(first), [one for each in made.values() for one in each])
        for each in made.values():
            yield from each
    yield from _not_compared(results)


def _each_pair(
    pairs: pd.DataFrame, metric: str, criterion: str, subject: str
) -> Iterator[Mapping[str, Any]]:
    """A row of each pair: of the subject, or of the model with the larger mean."""
    rows = pairs[(pairs["metric"] == metric) & (pairs["criterion"] == criterion)]
    seen: set[frozenset[str]] = set()
    for row in rows.to_dict("records"):
        pair = frozenset((row["model"], row["other"]))
        wanted = row["model"] == subject if subject else not row["difference"] < 0
        if wanted and pair not in seen:
            seen.add(pair)
            yield row


def _comparison(
    row: Mapping[str, Any], results: Results, significant: set[str], others: pd.DataFrame
) -> Claim:
    model, other, criterion = (str(row[name]) for name in ("model", "other", "criterion"))
    difference, p = number(row["difference"]), number(row["p_bh"])
    more, less = (model, other) if difference >= 0 else (other, model)
    same = (others["model"] == more) & (others["other"] == less)
    against = others[same & (others["criterion"] == criterion)]
    against = against[(against["difference"] < 0) & (against["p_bh"] < ALPHA)]
    enough = row["n_groups"] >= ranking.FEWEST_QUERIES
    over_queries = number(row["wilcoxon_holm"]) if enough else math.nan
    further = (one.gates(results, less, criterion) for one in additions("claims"))
    of_models = _quality_gate(results, less, more), *chain.from_iterable(further)
    gates = (
        Gate.of("associations", not results.words.empty and more in significant),
        Gate.than(lt, "queries", over_queries, ALPHA, table="pairwise"),
        Gate.of("metrics", against.empty, table="pairwise"),
        *of_models,
    )
    poorer = any(one.state == FAILED for one in of_models)
    verdict = _verdict(p, difference, gates, bool({model, other} & significant), poorer)
    if verdict == MORE and more != model:
        verdict = LESS
    low, high = (number(row[f"difference_{end}"]) for end in ("low", "high"))
    return Claim(
        *(kinds.COMPARISON, verdict, model, other, criterion, "", str(row["metric"])),
        *(difference, low, high, p),
        n=int(row["n_queries"]),
        gates=gates,
        table="pairwise",
        rows={name: str(row[name]) for name in ("criterion", "metric", "model", "other")},
        facts={"more": more, "less": less}
        | {"means": {model: number(row["mean"]), other: number(row["other_mean"])}},
    )


def _verdict(p: float, difference: float, gates: Sequence[Gate], some: bool, poorer: bool) -> str:
    """Of the model with the larger mean; `MORE` where everything holds."""
    failed = {one.name for one in gates if one.state == FAILED}
    if difference == 0:
        return EQUAL
    if math.isnan(p):
        return UNTESTED
    if not some:
        return NO_ASSOCIATION
    if p >= ALPHA or {"associations", "queries"} & failed:
        return OPEN
    if "metrics" in failed:
        return DISAGREE
    return POORER if poorer else MORE


def beaten(pairs: Sequence[Claim], model: str) -> Iterator[str]:
    """The models that a model is more biased than, by claims on pairs."""
    for one in pairs:
        if one.verdict == MORE and one.subject == model:
            yield one.against
        elif one.verdict == LESS and one.against == model:
            yield one.subject


def _with_topics(lead: Sequence[Claim], topics: Sequence[Claim]) -> Iterator[Claim]:
    """The claims of the leading criterion; open where a topic says the opposite."""
    for one in lead:
        pair, opposite = {one.subject, one.against}, {MORE: LESS, LESS: MORE}.get(one.verdict)
        against = [
            topic.criterion
            for topic in topics
            if {topic.subject, topic.against} == pair
            and topic.facts["more"] == one.facts["less"]
            and topic.verdict in (MORE, LESS)
        ]
        if opposite and against:
            gates = (*one.gates, Gate.of("topics", False, table="pairwise"))
            yield replace(one, verdict=TOPICS, gates=gates, facts={**one.facts, "topics": against})
        else:
            yield one


def _quality_gate(results: Results, less: str, more: str) -> Gate:
    """Fails where the less biased model agrees less with human ratings, on the pairs of both."""
    rows = results.table("quality")
    if len(rows):
        rows = rows[(rows["model"] == less) & (rows["other"] == more)]
        rows = rows.dropna(subset="difference").sort_values("n", ascending=False, kind="stable")
    if rows.empty:
        return Gate.of("quality", None)
    high = number(rows["difference_high"].iloc[0])
    return Gate.of("quality", not high < 0, high, 0, table="quality")


def _not_compared(results: Results) -> Iterator[Claim]:
    """Models with the same vectors; metrics and criteria by which nothing is compared."""
    names_of: dict[str, list[str]] = {}
    for model, name in results.vectors.items():
        names_of.setdefault(name, []).append(model)
    for first, *same in names_of.values():
        for model in same:
            subject, other = (model, first) if results.subject in ("", model) else (first, model)
            if results.subject in ("", subject):
                yield Claim(kinds.COMPARISON, SAME_VECTORS, subject, other, table="ranking")
    table = results.table("ranking")
    if table.empty:
        return
    rivals = table[(table["source"] == "computed") & ~table["status"].isin(NO_RIVALS)]
    if rivals["model"].nunique() < 2:
        return
    for metric, rows in rivals.groupby("metric", sort=False):
        status = next((one for one in INCOMPARABLE if (rows["status"] == one).any()), "")
        few = [
            str(criterion)
            for criterion, of in rows.groupby("criterion", sort=False)
            if of["rank"].isna().all() and of["status"].isin([ALONE, UNDEFINED]).any()
        ]
        if status or few:
            yield Claim(
                *(kinds.COMPARISON, status or FEW),
                measure=str(metric),
                table="ranking",
                n=rivals["model"].nunique(),
                facts={"criteria": few},
            )


def best_benchmark(results: Results) -> pd.DataFrame:
    """The values on the benchmark with the most pairs, of the models that are compared.

    A comparison before and after has its own table for this.
    """
    quality, ranks = results.table("quality"), ranked(results.frames)
    if quality.empty or len(results.table("before_after")):
        return quality.iloc[:0]
    models = {*ranks["model"]} if len(ranks) else {*results.labels}
    rows = quality[quality["other"].isna() & quality["model"].isin(models | {results.subject})]
    rows = rows.dropna(subset="value")
    if rows.empty:
        return rows
    rows = rows[rows["subject"] == rows.loc[rows["n"].idxmax(), "subject"]]
    names = rows["model"].map(lambda model: results.vectors.get(model, model))
    return rows[~names.duplicated()]
