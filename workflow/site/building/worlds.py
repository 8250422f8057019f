"""The page "How often are we wrong?", from a committed table.

tests/slow/test_worlds_of_claims.py says how to write the table: claims on worlds of a known truth.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

TABLE = Path("workflow/report/worlds.csv")
ADDRESS = "numbers/wrong.md"
# Kinds of claims in the order of the page.
KINDS = {
    "association": "An association is significant",
    "comparison": "One model is more or less biased than another",
    "debiased": "A debiased model has smaller or larger associations",
    "items": "A score of items is above or below its fair value",
    "intersection": "A group has more or fewer words than random words",
    "swap": "Another list of names gives another largest group",
}
_PAGE = """# How often are we wrong?

Here claims are made of vectors and items whose truth is known: noise, in which associations of
known sizes are planted, with word lists as long as the published ones. Two models with equal
associations must not be called more or less biased; a model with noise on top is poorer, not less
biased.

"False" is the share of claims that say something where there is nothing, or the opposite of the
truth. In parentheses is how much of what is said is false, on average over models (associations),
queries (groups) or studies (others): this is what the correction for many tests controls. Both
should be at most 5 %, give or take two standard errors (3 points of 200 studies, 10 of 20). "Found"
is the share of the truth that is said. Where little is found, silence shows nothing.

One limit is known. The test of an association is of the target words, given the attribute words.
Two groups of words that differ in one thing are, by chance, nearer to some words than to others:
the last row of associations counts how often this is called significant.

"""


def world_pages(root: Path) -> dict[str, str | bytes]:
    """The page: path on the site -> content."""
    return {ADDRESS: page(pd.read_csv(root / TABLE))}


def page(table: pd.DataFrame) -> str:
    """The text and a table for each kind.

    Parameters
    ----------
    table : as `worlds.counted` gives its rows.
    """
    parts = [_PAGE]
    for kind, title in KINDS.items():
        rows = table[table["kind"] == kind]
        lines = ["| World | Studies | False | Found |", "| --- | --- | --- | --- |"]
        for row in rows.itertuples():
            false = f"{row.false_claims:.1%} ({row.false_share:.1%})"
            found = f"{row.found:.0%}" if row.to_find else "nothing to find"
            lines.append(f"| {row.world} | {row.studies} | {false} | {found} |")
        parts.append("\n".join([f"## {title}\n", *lines, "\n"]))
    return "\n".join(parts).rstrip() + "\n"
