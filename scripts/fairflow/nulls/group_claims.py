"""Claims on groups of two contrasts: next to random words, and by several lists of names."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from operator import lt
from typing import Any

from fairflow.nulls import CROSSED
from fairflow.studies.claims.claim import OPEN, UNTESTED, Claim, Gate, Results, number
from fairflow.studies.claims.extension import Labels, TableRow
from fairflow.studies.claims.words import P, answer, p_text

# Kinds of claims.
GROUP, SWAP = "intersection", "swap"
HEAD = ("Group", "Model", "Share", "Random words", P, "More or fewer")
# Verdicts: of a share next to random words; of the largest one by several lists.
MORE, FEWER, AS_RANDOM, UNDEFINED = "more", "fewer", "as random words", "undefined"
SAME, TURNED = "same", "turned"
SWAPS = (SAME, TURNED, OPEN, UNTESTED)
# Of the words of a set, those that both sets of a contrast may have.
MOST_SHARED = 0.5


def group_claims(results: Results) -> Iterator[Claim]:
    """Each group of each crossed query and model; one claim for a query without value."""
    table = results.table(CROSSED)
    for _, rows in table.groupby(["model", "metric", "query"], sort=False) if len(table) else ():
        lost = rows["verdict"].eq(UNDEFINED).all()
        yield from (_claim(GROUP, row) for row in rows.to_dict("records")[: 1 if lost else None])


def swap_claims(results: Results) -> Iterator[Claim]:
    """Whether each list of names gives one largest group: one claim a model and group of lists."""
    table = results.table(CROSSED)
    for _, rows in table.groupby(["model", "metric", "lists"]) if len(table) else ():
        largest = rows[rows["is_largest"]].drop_duplicates("group")
        first = (largest if len(largest) else rows).iloc[0].to_dict()
        named = [f"{one.group} by {one.by}" for one in largest[:2].itertuples()]
        told = ", ".join(named) if len(named) > 1 else first["group"]
        yield _claim(SWAP, first | {"shared": rows["shared"].max()}, largest=told)


def _claim(kind: str, row: Mapping[str, Any], **facts: Any) -> Claim:
    value, low, high, p = (number(row[n]) for n in ("value", "ci_low", "ci_high", "p_adjusted"))
    model, query = str(row["model"]), str(row["query"])
    shares = "null_low", "null_high", "ci_low_both", "ci_high_both", "shared"
    told = {name: f"{number(row[name]):.0%}" for name in shares if number(row[name]) >= 0}
    told |= {"group": row["group"], "by": row["by"], "of": row["targets"]}
    of_swap = kind == SWAP
    return Claim(
        *(kind, row["swap" if of_swap else "verdict"], model, "", str(row["criterion"]), query),
        *(str(row["metric"]), value, low, high, math.nan if of_swap else p, int(row["n_words"])),
        gates=(
            Gate.than(lt, "sets apart", number(row["shared"]), MOST_SHARED, table=CROSSED),
            Gate.of("value", not math.isnan(value), table=CROSSED),
        ),
        table=CROSSED,
        rows={"model": model, "query": query},
        facts=told | facts,
    )


def group_row(claim: Claim, labels: Labels) -> TableRow:
    """A group by one list of names, as a row of the table `HEAD`."""
    facts = claim.facts
    band = f"{facts['null_low']} to {facts['null_high']}" if "null_low" in facts else ""
    share = "" if math.isnan(claim.value) else f"{claim.value:.0%}"
    name, model = f"{facts['group']} by {facts['by']}", labels.get(claim.subject, claim.subject)
    cells = name, model, share, band, p_text(claim.p_adjusted), claim.short
    return TableRow(cells, int(claim.verdict in (MORE, FEWER)))


def group_answer(of: Mapping[str, Sequence[Claim]]) -> str:
    """How many groups differ from random words, and where another list has another largest."""
    unknown = UNDEFINED, UNTESTED
    if not (groups := [one for one in of.get(GROUP, ()) if one.verdict not in unknown]):
        return ""
    far = sum(one.verdict in (MORE, FEWER) for one in groups)
    turned = [one.verdict == TURNED for one in of.get(SWAP, ())]
    return answer("groups", k=far, n=len(groups), turned=sum(turned), models=len(turned))
