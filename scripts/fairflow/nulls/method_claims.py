"""Claims on published methods: what they find where nothing is to be found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import ge
from typing import Any

import pandas as pd

from fairflow.nulls import METHODS
from fairflow.nulls.method_tables import HOLDS
from fairflow.nulls.methods.method import BARE, VALUE
from fairflow.studies.claims.claim import Claim, Gate
from fairflow.studies.claims.extension import Labels, TableRow
from fairflow.studies.claims.words import answer
from fairflow.studies.wording import counted

METHOD = "method"
HEAD = ("Method", "Worlds", "It finds", "Instead", "Ours", "Holds")
# Fewer worlds say little of a share of .05.
FEW_WORLDS = 100


def method_claims(table: pd.DataFrame) -> Iterator[Claim]:
    """What each method finds in its worlds, of the table of methods."""
    for row in table.to_dict("records"):
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
                "where": row["where"],
                "instead": row["instead"],
                "found": _said(row, "theirs"),
                "found_by_ours": _said(row, "ours"),
                "right": f"{row['at_most']:g}",
            },
        )


def _said(row: Mapping[str, Any], who: str) -> str:
    """'33% [27, 40]', '5.9% [5.0, 7.1]' below 10, or a value."""
    if row["counts"] == VALUE:
        return f"{row[who]:.2f}"
    digits = int(row[who] < 0.1)
    share, low, high = (f"{100 * row[f'{who}{end}']:.{digits}f}" for end in ("", "_low", "_high"))
    return f"{share}% [{low}, {high}]"


def method_row(claim: Claim, labels: Labels) -> TableRow:
    """A method in one kind of worlds, as a row of the table `HEAD`."""
    told = claim.facts
    cells = told["name"], told["where"], told["found"], told["instead"], told["found_by_ours"]
    return TableRow((*cells, claim.short), int(claim.verdict != HOLDS))


def method_answer(of: Mapping[str, Sequence[Claim]]) -> str:
    """How many methods do not hold in some of their worlds; "" without any."""
    every = of.get(METHOD, ())
    names = {one.measure for one in every}
    false = {one.measure for one in every if one.verdict != HOLDS}
    told = {"k": len(false), "bare": len({one.measure for one in every if one.verdict == BARE})}
    methods = counted(len(names), "method")
    return answer("methods", methods=methods, **told) if every else ""
