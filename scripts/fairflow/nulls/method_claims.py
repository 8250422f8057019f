"""Claims on published methods: what they find where nothing is to be found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import ge
from typing import Any

from fairflow.nulls import METHODS
from fairflow.nulls.method_tables import HOLDS
from fairflow.nulls.methods.method import VALUE
from fairflow.studies.claims.claim import Claim, Gate, Results
from fairflow.studies.claims.extension import Labels, TableRow
from fairflow.studies.claims.words import answer
from fairflow.studies.wording import counted

METHOD = "method"
HEAD = ("Published method", "Worlds", "It finds", "Instead", "Ours", "Holds")
# Fewer worlds say little of a share of .05.
FEW_WORLDS = 100


def method_claims(results: Results) -> Iterator[Claim]:
    """What each method finds in its worlds."""
    for row in results.table(METHODS).to_dict("records"):
        enough = Gate.than(ge, "worlds", row["worlds"], FEW_WORLDS, table=METHODS)
        yield Claim(
            *(METHOD, row["verdict"], "", "", "", "", row["method"]),
            *(row["theirs"], row["theirs_low"], row["theirs_high"]),
            n=int(row["worlds"]),
            gates=() if row["counts"] == VALUE else (enough,),
            table=METHODS,
            rows={"method": row["method"], "where": row["where"]},
            facts={
                "name": row["label"],
                "version": row["version"],
                "where": row["where"],
                "instead": row["instead"],
                "found": _said(row, "theirs"),
                "found_by_ours": _said(row, "ours"),
                "right": f"{row['at_most']:g}",
                "ours_holds": row["verdict_ours"] == HOLDS,
            },
        )


def _said(row: Mapping[str, Any], who: str) -> str:
    """'33 % [29, 38]', or a value."""
    if row["counts"] == VALUE:
        return f"{row[who]:.2f}"
    low, high = (f"{100 * row[f'{who}_{end}']:.0f}" for end in ("low", "high"))
    return f"{100 * row[who]:.0f} % [{low}, {high}]"


def method_row(claim: Claim, labels: Labels) -> TableRow:
    """A method in one kind of worlds, as a row of the table `HEAD`."""
    told = claim.facts
    cells = told["name"], told["where"], told["found"], told["instead"], told["found_by_ours"]
    return TableRow((*cells, claim.short), int(claim.verdict != HOLDS))


def method_answer(of: Mapping[str, Sequence[Claim]]) -> str:
    """How many methods say something false in any of their worlds; "" without any."""
    every = of.get(METHOD, ())
    names = {one.measure for one in every}
    false = {one.measure for one in every if one.verdict != HOLDS}
    methods = counted(len(names), "published method")
    return answer("methods", k=len(false), methods=methods) if every else ""
