"""Claims on scores of items: each against its fair value; and how many answers were read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from operator import ge, lt
from typing import Any

import pandas as pd

from fairflow.language_models.errors import NOT_FINITE
from fairflow.language_models.scoring.answered import FEWEST_READ, LOST_BIASED, LOST_FAIR, OUTCOMES
from fairflow.statistics.counts import FEW_COUNTS
from fairflow.statistics.rank_tests import ALPHA
from fairflow.studies.claims import claim as kinds
from fairflow.studies.claims.claim import OPEN, UNTESTABLE, UNTESTED, Claim, Gate, Results, number

ABOVE, BELOW, DIFFERS, BROKEN, FEW_READ = "above", "below", "differs", "broken", "few read"
READ, PARTLY, FEW = "all read", "partly read", "too few read"
EVERY = 100.0
# Of few clusters an interval is rough.
FEW_CLUSTERS = 10


def sample_text(n_items: float, sampled_from: float | None) -> str:
    """'40 of 112 items'; empty where all items were used."""
    return "" if pd.isna(sampled_from) else f"{n_items:,.0f} of {sampled_from:,.0f} items"


def sample_texts(scores: pd.DataFrame) -> list[str | None]:
    """`sample_text` of each row of a study's scores, None where all items were used."""
    if "sampled_from" not in scores:
        return [None] * len(scores)
    numbers = zip(scores["n_items"], scores["sampled_from"], strict=True)
    return [sample_text(*of_row) or None for of_row in numbers]


def item_claims(results: Results) -> Iterator[Claim]:
    """Each score with a fair value; models whose answers are NaN or infinite."""
    rows = results.items
    for model in rows.loc[rows["status"] == NOT_FINITE, "model"].drop_duplicates():
        yield Claim(kinds.ITEMS, BROKEN, str(model))
    read = _share_read(results)
    for row in rows.dropna(subset=["value", "fair"]).to_dict("records"):
        yield _item_claim(row, results, read.get((row["model"], row["query"]), math.nan))


def _item_claim(row: Mapping[str, Any], results: Results, read: float) -> Claim:
    shift = results.readings[row["metric"]]["published_shift"]
    value, low, high = (number(row[name]) + shift for name in ("value", "ci_low", "ci_high"))
    p, fair = number(row["p_bh"]), number(row["fair"]) + shift
    clusters, smallest = number(row.get("n_clusters")), number(row.get("p_smallest"))
    gates = (
        Gate.than(ge, "read", read, FEWEST_READ),
        Gate.than(ge, "clusters", clusters, FEW_CLUSTERS),
        Gate.of("counts", row["status"] != FEW_COUNTS),
        Gate.than(lt, "units", smallest, ALPHA),
    )
    category = row.get("category")
    model, query = str(row["model"]), str(row["query"])
    return Claim(
        *(kinds.ITEMS, _verdict(value - fair, p, gates, row["metric"] in results.signed), model),
        *("", str(row["criterion"]), query, str(row["metric"]), value, low, high, p),
        n=0 if pd.isna(row.get("n_items")) else int(row["n_items"]),
        gates=gates,
        rows={"model": model, "query": query, "subquery": str(row["subquery"])},
        facts={"fair": fair, "above": results.readings[row["metric"]]["above"], "shift": shift}
        | {"category": category if isinstance(category, str) else "", "clusters": clusters}
        | {"sampled_from": number(row.get("sampled_from")), "ability": _ability(row, results)},
    )


def _verdict(distance: float, p: float, gates: tuple[Gate, ...], is_signed: bool) -> str:
    read, _, counts, units = (gate.state for gate in gates)
    if read == kinds.FAILED:
        return FEW_READ
    if kinds.FAILED in (counts, units):
        return UNTESTABLE
    if math.isnan(p):
        return UNTESTED
    if p >= ALPHA:
        return OPEN
    return (ABOVE if distance > 0 else BELOW) if is_signed else DIFFERS


def _ability(row: Mapping[str, Any], results: Results) -> float:
    """How well the model does the task, by the metric's own measure of that; NaN without."""
    ability, scores = results.ability.get(row["metric"]), results.frames["scores"]
    if not ability:
        return math.nan
    same = ["model", "metric", "query", "subquery"]
    there = (scores[same] == [row[name] for name in same]).all(axis=1)
    own = scores.loc[there & (scores["measure"] == ability["measure"]), "value"].dropna()
    return number(own.iloc[0]) if len(own) else math.nan


def _share_read(results: Results) -> dict[tuple[str, str], float]:
    """(Model, query) -> the share of its answers that was read, in percent."""
    scores = results.frames["scores"]
    rows = scores[(scores["measure"] == OUTCOMES["ok"]) & (scores["subquery"] == scores["query"])]
    return dict(zip(zip(rows["model"], rows["query"], strict=True), rows["value"], strict=True))


def answer_claims(results: Results) -> Iterator[Claim]:
    """How many answers in text were read, and what became of the others; once a model and query."""
    scores = results.frames["scores"]
    bounds = scores["measure"].str.endswith((LOST_FAIR, LOST_BIASED))
    whole = scores[scores["measure"].isin([*OUTCOMES.values()]) | bounds]
    whole = whole[whole["subquery"] == whole["query"]]
    seen = set()
    for (model, query, metric), rows in whole.groupby(["model", "query", "metric"], sort=False):
        of = {str(row["measure"]): row for row in rows.to_dict("records")}
        read = of.pop(OUTCOMES["ok"], None)
        if read is None or (key := (model, query, number(read["value"]))) in seen:
            continue
        seen.add(key)
        share = key[-1]
        verdict = READ if share == EVERY else PARTLY if share >= FEWEST_READ else FEW
        yield Claim(
            *(kinds.ANSWERS, verdict, str(model), "", "", str(query), str(metric), share),
            *(number(read["ci_low"]), number(read["ci_high"])),
            n=int(read["n_items"]),
            rows={"model": str(model), "query": str(query)},
            facts={name: number(row["value"]) for name, row in of.items()},
        )
