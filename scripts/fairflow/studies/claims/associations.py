"""Claims on scores of words: controls, associations, published and missing numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from operator import lt
from typing import Any

import pandas as pd

from fairflow.capabilities import additions
from fairflow.statistics.rank_tests import ALPHA
from fairflow.studies import comparability as controls
from fairflow.studies.claims import claim as kinds
from fairflow.studies.claims.claim import OPEN, UNTESTABLE, UNTESTED, Claim, Gate, Results, number
from fairflow.studies.claims.comparisons import COMPARABLE, lead_criterion, lead_metric
from fairflow.studies.published.comparison import ABSENT, DIFFERS, DRAWN, MATCH, TOLERATED
from fairflow.studies.published.publication import DERIVED
from fairflow.studies.wording import listed

# Verdicts of associations: beyond chance and random words; no larger than those of random words.
SIGNIFICANT, AS_RANDOM = "significant", "as random words"
# Of a control; of published numbers; of what is missing.
PASSES, FAILS, NOT_KNOWN = "passes", "fails", "not known"
ALL, MOST, NONE = "all", "most", "none"
SCORES, OF_LANGUAGE, ONE_VECTOR = "scores", "other language", "one vector"
# The status of a score whose words are missing from the model.
LOST = "lost_vocabulary"


def control_claims(results: Results) -> Iterator[Claim]:
    """Whether each model shows what any sensible model shows: one claim a model."""
    table = results.table("controls")
    for model, rows in table.groupby("model", sort=False) if len(table) else ():
        statuses = {*rows["status"]}
        verdict = PASSES if statuses == {controls.CONTROL_PASSES} else NOT_KNOWN
        verdict = FAILS if controls.CONTROL_FAILS in statuses else verdict
        worst = rows[rows["status"] == controls.CONTROL_FAILS]
        first = (worst if len(worst) else rows).iloc[0]
        yield Claim(
            *(kinds.CONTROL, verdict, str(model)),
            query=str(first["query"]),
            measure=str(first["metric"]),
            value=number(first["value"]),
            n=len(rows),
            table="controls",
            rows={"model": str(model)},
            facts={"p": number(first["p_value"])},
        )


def reproduced_claims(results: Results) -> Iterator[Claim]:
    """How many published numbers are reproduced; those derived from others are not counted."""
    table = results.table("published")
    printed = table[~table["measure"].isin(DERIVED)] if len(table) else table
    if len(printed):
        counts = {str(verdict): int(n) for verdict, n in printed["verdict"].value_counts().items()}
        unknown = printed["cause"].isin(["unknown", "not expected"])
        unknown &= printed["verdict"] == DIFFERS
        yield reproduced_claim(counts, int(unknown.sum()))


def reproduced_claim(counts: Mapping[str, int], unexplained: int) -> Claim:
    """The claim on published numbers of one study or of several.

    Parameters
    ----------
    counts : how many have each verdict. unexplained : how many differ for no known reason.
    """
    agree = sum(counts.get(verdict, 0) for verdict in (MATCH, TOLERATED, DRAWN))
    differ, absent = counts.get(DIFFERS, 0), counts.get(ABSENT, 0)
    n = agree + differ
    return Claim(
        kinds.REPRODUCED,
        NONE if not n else MOST if differ else ALL,
        value=agree / n if n else math.nan,
        n=n,
        gates=(Gate.of("explained", unexplained == 0, unexplained, 0, table="published"),),
        table="published",
        facts={"agree": agree, "differ": differ, "absent": absent, "counts": dict(counts)}
        | {"unexplained": unexplained},
    )


def association_claims(results: Results) -> Iterator[Claim]:
    """Each association of each model by the metric that compares models best, the largest first.

    Queries that this metric does not measure have the first metric that does. A test counts once,
    however many rows report it.
    """
    rows = results.words.dropna(subset="value")
    if rows.empty:
        return
    tested = rows.dropna(subset="p_bh")["metric"]
    lead = lead_metric(results.frames)
    comparable = rows.loc[rows["measure"] == COMPARABLE, "metric"]
    if lead not in {*tested} & {*comparable}:
        lead = str((tested if len(tested) else rows["metric"]).iloc[0])
    main = rows[rows["metric"] == lead]
    others = rows[~rows["query"].isin(main["query"])]
    others = others[others["metric"] == others.groupby("query")["metric"].transform("first")]
    order = main["value"].abs().sort_values(ascending=False, kind="stable").index
    every = pd.concat([main.loc[order], others])
    several = every.groupby("query")["subquery"].transform("nunique") > 1
    for row in every.assign(is_part=several).to_dict("records"):
        yield _association(row, results)


def _association(row: Mapping[str, Any], results: Results) -> Claim:
    p, band = number(row.get("p_bh")), number(row.get("p_null_band"))
    smallest = number(row.get("p_smallest"))
    gates = (
        # Rows of failing models are no claims.
        Gate.of("control", row.get("control_status") == PASSES or None, table="controls"),
        Gate.than(lt, "units", smallest, ALPHA),
        Gate.than(lt, "random words", band, ALPHA),
    )
    value, low, high = (number(row[name]) for name in ("value", "ci_low", "ci_high"))
    model, query, by, about = (str(row[n]) for n in ("model", "query", "metric", "criterion"))
    return Claim(
        *(kinds.ASSOCIATION, _association_verdict(p, gates), model, "", about, query, by),
        *(value, low, high, p),
        n=int(row["n_words"]),
        gates=gates,
        rows={"model": model, "query": query, "subquery": str(row["subquery"])},
        facts=named(row, results)
        | {"p_smallest": smallest, "test": str(row.get("test_id", ""))}
        | {"signed": row["metric"] in results.signed, "alternative": row.get("alternative")},
    )


def _association_verdict(p: float, gates: tuple[Gate, ...]) -> str:
    _, units, band = gates
    if units.state == kinds.FAILED:
        return UNTESTABLE
    if math.isnan(p):
        return UNTESTED
    if p >= ALPHA:
        return OPEN
    return AS_RANDOM if band.state == kinds.FAILED else SIGNIFICANT


def named(row: Mapping[str, Any], results: Results) -> dict[str, Any]:
    """The names of the sets as the sign orders them, and what capabilities know.

    "targets" and "attributes" are there for a signed score of two sets and two.
    """
    sets = results.sets.get(str(row["query"]), ((), ()))
    facts: dict[str, Any] = {"name": _name_of(row, sets)}
    is_whole = str(row.get("subquery", "")) in (str(row["query"]), str(row["query_label"]))
    if not (is_whole and row["metric"] in results.signed and [*map(len, sets)] == [2, 2]):
        return facts
    targets = [*sets[0]] if row["value"] >= 0 else [*reversed(sets[0])]
    facts |= {"targets": targets, "attributes": [*sets[1]]}
    for one in additions("claims"):
        facts |= one.facts(row, sets, results)
    return facts


def _name_of(row: Mapping[str, Any], sets: Sequence[Sequence[str]]) -> str:
    """The sets of a query, its label, or the name of a sub-query where it is split."""
    if row.get("is_part"):
        return str(row["subquery"])
    targets, attributes = (map(str, of) for of in sets)
    named = listed(targets), listed(attributes)
    return ": ".join(named) if all(named) else str(row["query_label"])


def own_claims(results: Results) -> Iterator[Claim]:
    """The scores of the models by each metric of the user's code, over all queries."""
    table = results.table("ranking")
    for metric in results.own_metrics if len(table) else ():
        rows = table[(table["metric"] == metric) & (table["source"] == "computed")]
        rows = rows.dropna(subset="score")
        if len(rows):
            criterion = lead_criterion([*rows["criterion"].unique()])
            rows = rows[rows["criterion"] == criterion]
            means = {str(one.model): float(one.score) for one in rows.itertuples()}
            place = "", "", criterion, "", metric
            yield Claim(kinds.OWN, SCORES, *place, table="ranking", facts={"means": means})


def missing_claims(results: Results) -> Iterator[Claim]:
    """What has no score: scores by reason, queries in another language, words with one vector."""
    every = results.every_headline
    if results.subject:
        every = controls.without_controls(every[every["model"] == results.subject])
    missing = every[every["value"].isna()]
    if len(missing):
        counts = missing["status"].value_counts()
        lost = missing[missing["status"] == LOST].reindex(columns=["oov_words"])["oov_words"]
        words = dict.fromkeys(str(word) for of_one in lost.dropna() for word in of_one)
        yield Claim(
            *(kinds.NOT_MEASURED, SCORES, results.subject),
            value=float(len(missing)),
            n=len(every),
            facts={"reasons": {str(one): int(n) for one, n in counts.items()}}
            | {"models": [*missing["model"].unique()], "lost": [*words]},
        )
    for model, languages, numbers in results.unspoken:
        if results.subject in ("", model):
            facts = {"languages": [*languages], "asked": dict(numbers)}
            n = sum(numbers.values())
            yield Claim(kinds.NOT_MEASURED, OF_LANGUAGE, model, value=float(n), n=n, facts=facts)
    yield from _one_vector(results)


def _one_vector(results: Results) -> Iterator[Claim]:
    """The models in which several words of a set have one vector."""
    coverage = results.table("coverage")
    if "distinct" not in coverage:
        return
    forms = coverage["found"] - coverage["duplicated"]
    alike = coverage.assign(forms=forms)[forms > coverage["distinct"]]
    if results.subject:
        alike = alike[alike["model"] == results.subject]
    # A derived model has the words of its base, and is not named again.
    alike = alike.drop_duplicates(alike.columns.difference(["model"]))
    for model, sets in alike.groupby("model", sort=False):
        most = sets.loc[(sets["forms"] - sets["distinct"]).idxmax()]
        words, vectors = int(most["forms"]), int(most["distinct"])
        yield Claim(
            *(kinds.NOT_MEASURED, ONE_VECTOR, str(model)),
            value=float(len(sets)),
            n=int((coverage["model"] == model).sum()),
            table="coverage",
            facts={"set": most["word_set"], "words": words, "vectors": vectors},
        )
