"""The page "Which published methods hold where nothing is", from a committed table.

After `make run STUDY=nulls`, `PYTHONPATH=scripts:workflow/site python -m building.nulls` keeps its
table and its figure.
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
_PAGE = """# Which published methods hold where nothing is

A method that finds bias in a model should find none in a model without it. Here published methods
meet worlds that are made for the purpose: words of random directions, answers by coin, texts in
which no group is nearer to a topic. Whatever is found there is false. The seeded worlds are
functions of at most fifteen lines, in `scripts/fairflow/nulls/methods`; `make run STUDY=nulls`
makes all of this again.

{figure}

"False" is the share of worlds in which the method says something that is not so, with a 95 %
interval; next to it stands what fairflow says in the same worlds. At most 5 % may be false. Of
methods that miss what is there, at most 20 % may be missed.

{table}

## Each method

{methods}
"""
_METHOD = """### {label}

{version}, {place}. World: {world} Counted as false: {computed}. Ours: {instead}. {limit}

```python
from fairflow.nulls.methods import try_method
try_method("{method}")
```
"""
_PICTURE = (
    "![How often published methods say something false in worlds without bias, and fairflow in the "
    "same worlds](../../../report/false_findings.svg)"
)


def null_pages(root: Path) -> dict[str, str | bytes]:
    """The page: path on the site -> content."""
    return {ADDRESS: page(pd.read_csv(root / TABLE))}


def page(table: pd.DataFrame) -> str:
    """The text, the table, and what is to be known of each method.

    Parameters
    ----------
    table : `methods` of the study nulls.
    """
    lines = ["| Method | Worlds | False | Ours | Holds |", "| --- | --- | --- | --- | --- |"]
    for one in worded(method_claims(table), {}):
        told = one.facts
        cells = told["name"], told["where"], told["found"], told["found_by_ours"], one.short
        lines.append(f"| {' | '.join(cells)} |")
    methods = [_METHOD.format(**row) for row in table.drop_duplicates("method").to_dict("records")]
    return _PAGE.format(table="\n".join(lines), methods="\n".join(methods), figure=_PICTURE)


if __name__ == "__main__":
    for made, kept in zip(MADE, (TABLE, FIGURE), strict=True):
        shutil.copy(made, kept)
