"""The page "Which published methods hold where nothing is", from a committed table.

After `make report STUDY=nulls`, `PYTHONPATH=scripts:workflow/site python -m building.nulls` keeps
its table and its figure.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd

from fairflow.nulls.method_claims import method_claims
from fairflow.studies.claims.words import worded

TABLE, FIGURE = Path("workflow/report/methods.csv"), Path("workflow/report/false_findings.svg")
MADE = Path("results/studies/nulls/methods.csv"), Path("results/figures/nulls/false_findings.svg")
ADDRESS = "numbers/nulls.md"
HEAD = ("Method", "Worlds", "Number", "It finds", "Ours", "Holds")
_PAGE = """# Which published methods hold where nothing is

A method that finds bias in a model should find none where none is. Here published methods meet
worlds that are made for the purpose: words of random directions, answers by coin, texts in which no
group is nearer to a topic. A claim about other words, stimuli or documents of the kind is false
there; of those at hand it may be true. Some rows plant an effect instead and count who denies it.
The seeded worlds are functions of at most fifteen lines in `scripts/fairflow/nulls/methods`;
`make run STUDY=nulls` makes all of this again.

![How often methods find what is not so in worlds whose truth is known, and fairflow in the same
worlds](../../../report/false_findings.svg)

"It finds" is the share of worlds in which the method says what is not so, with a 95 % interval,
next to ours in the same worlds; of BBQ it is the value. A method is said not to hold where the
interval lies above 5 %, or above 20 % where something planted is denied. Two have no test: what is
counted would mislead if it were read as a finding. The last rows are a common reading of tests.

{table}

## Each method

{methods}
"""
_METHOD = """### {label}

{version}, {place}. World: {world} Counted: {computed}. Ours: {instead}. {limit}

```python
from fairflow.nulls.methods import try_method
try_method("{method}")
```
"""


def null_pages(root: Path) -> dict[str, str | bytes]:
    """The page: path on the site -> content."""
    return {ADDRESS: page(pd.read_csv(root / TABLE))}


def page(table: pd.DataFrame) -> str:
    """The text, the table, and what is to be known of each method.

    Parameters
    ----------
    table : `methods` of the study nulls.
    """
    rows = [HEAD, ("---",) * len(HEAD)]
    for one in worded(method_claims(table), {}):
        told = one.facts
        shares = told["found"], told["found_by_ours"]
        rows.append((told["name"], told["where"], str(one.n), *shares, one.short))
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    methods = [_METHOD.format(**row) for row in table.drop_duplicates("method").to_dict("records")]
    return _PAGE.format(table="\n".join(lines), methods="\n".join(methods))


if __name__ == "__main__":
    for made, kept in zip(MADE, (TABLE, FIGURE), strict=True):
        shutil.copy(made, kept)
