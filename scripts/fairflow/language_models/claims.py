"""Claims on scores of items: each against its fair value; and how many answers were read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from operator import ge, lt
from typing import Any

import pandas as pd

from fairflow.language_models.errors import NOT_FINITE
from fairflow.language_models.scoring.answered import FEWEST_READ, LOST_BIASED, LOST_FAIR, OUTCOMES
from fairflow.statistics.counts import FEW_COUNTS
from fairflow.statistics.outcome import published_name
from fairflow.statistics.rank_tests import ALPHA
from fairflow.studies.claims import claim as kinds
from fairflow.studies.claims.claim import OPEN, UNTESTABLE, UNTESTED, Claim, Gate, Results, number
from fairflow.studies.claims.extension import ClaimsOf, Labels, TableRow
from fairflow.studies.claims.words import P, answer, p_text
from fairflow.studies.wording import listed_briefly, short_number

# Kinds of claims.
ITEMS, ANSWERS = "items", "answers"
# Models that an answer names.
NAMED = 3
ABOVE, BELOW, DIFFERS, BROKEN, FEW_READ = "above", "below", "differs", "broken", "few read"
READ, PARTLY, FEW = "all read", "partly read", "too few read"
EVERY = 100.0
# Of few clusters an interval is rough.
FEW_CLUSTERS = 10


def item_claims(results: Results) -> Iterator[Claim]:
    """Each score with a fair value; models whose answers are NaN or infinite."""
    rows = results.others
    for model in rows.loc[rows["status"] == NOT_FINITE, "model"].drop_duplicates():
        yield Claim(ITEMS, BROKEN, str(model))
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
        *(ITEMS, _verdict(value - fair, p, gates, row["metric"] in results.signed), model),
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
            *(ANSWERS, verdict, str(model), "", "", str(query), str(metric), share),
            *(number(read["ci_low"]), number(read["ci_high"])),
            n=int(read["n_items"]),
            rows={"model": str(model), "query": str(query)},
            facts={name: number(row["value"]) for name, row in of.items()},
        )


class ClaimsOfItems(ClaimsOf):
    """Scores of items, and what became of answers in text."""

    heads = {ITEMS: ("Score", "Model", "Value", "Fair", P, "Differs")}
    noted = {ANSWERS: (PARTLY, FEW)}

    def claims(self, results: Results) -> Iterator[Claim]:
        """See `item_claims`."""
        return item_claims(results)

    def notes(self, results: Results) -> Iterator[Claim]:
        """How many answers were read, and the metrics that some models cannot answer."""
        yield from answer_claims(results)
        for metric, wanted, models in results.further.get("unanswered", ()):
            facts = {"kinds": [*wanted], "models": [*models]}
            about = {"measure": metric, "n": len(models), "facts": facts}
            yield Claim(kinds.NOT_MEASURED, "kind of model", **about)

    def tabled(self, claims: Sequence[Claim]) -> Sequence[Claim]:
        """Where some scores were tested, the others are their parts or other measures."""
        shown = [one for one in claims if one.verdict != BROKEN]
        return [one for one in shown if one.p_adjusted >= 0] or shown

    def row(self, claim: Claim, labels: Labels) -> TableRow:
        """A score."""
        part = claim.facts.get("category")
        name = f"{claim.what}: {part}" if part else claim.what
        metric = published_name(labels.get(claim.measure, claim.measure), claim.facts["shift"])
        ends = "" if math.isnan(claim.low) else f" [{claim.low:.3g}, {claim.high:.3g}]"
        cells = f"{metric}, {name}", labels.get(claim.subject, claim.subject)
        cells = *cells, f"{claim.value:.3g}{ends}", f"{claim.facts['fair']:g}"
        return TableRow((*cells, p_text(claim.p_adjusted), claim.short), int(_is_far(claim)))

    def answer(self, of: Mapping[str, Sequence[Claim]], labels: Labels) -> str:
        """How many scores differ from what is fair."""
        if not (scores := of.get(ITEMS, ())):
            return ""
        far = dict.fromkeys(one.subject for one in scores if _is_far(one))
        who = listed_briefly([*dict.fromkeys(labels.get(name, name) for name in far)], NAMED)
        n, k = sum(one.p_adjusted >= 0 for one in scores), sum(map(_is_far, scores))
        rest = f"; {len(scores) - n} were not tested" if len(scores) > n else ""
        return answer("items", k=k, n=n, who=f": {who}" if who else "", rest=rest)

    def clauses(self, claim: Claim) -> dict[str, str]:
        """The kinds of models that a metric needs, and the bounds of a score with lost answers."""
        facts = claim.facts
        ends = [short_number(facts[n]) for n in facts if n.endswith((LOST_FAIR, LOST_BIASED))]
        bounds = f"; with the others its score is {' to '.join(ends)}" if ends else ""
        return {"bounds": bounds, "kinds": " or ".join(facts.get("kinds", ()))}


def _is_far(claim: Claim) -> bool:
    return claim.verdict in (ABOVE, BELOW, DIFFERS)


EXTENSION = ClaimsOfItems()
