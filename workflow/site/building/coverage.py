"""The page "Do intervals hold the truth?", from a committed table.

tests/slow/test_coverage_of_rules.py says how to write the table: intervals of a known truth.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

TABLE = Path("workflow/report/coverage.csv")
ADDRESS = "numbers/coverage.md"
NOMINAL = 0.95
# Rules in the order of the page.
RULES = {
    "words": """## Resampled words or items

BCa bootstrap with a Student quantile; n is the number of words in a set, of items or of their
clusters. Shares of 0 and 1 have the exact interval of Clopper and Pearson.""",
    "percentile": """## Resampled pairs and queries

The middle of the draws, where two models answer the same items or queries; n is the number of
items, of groups of queries, or of words of a query. A mean size is never 0, so that it cannot hold
the truth where there is nothing.""",
    "clusters": """## Clusters

A Student quantile times an error over whole units; n is the number of documents, of words of a
correlation or of items that are rated, for log odds the mean of each of the four counts.""",
    "exact": """## Exact

By the F distribution (Feldt 1965), for the reliability of a mean over parts; n is the number of
words.""",
}
_PAGE = """# Do intervals hold the truth?

All intervals of fairflow follow three rules (`scripts/fairflow/statistics/intervals.py`): resampled
words or items, clusters, and exact ones. Here words, items and documents are drawn of populations
whose truth is known. "Coverage" is the share of 95 % intervals that hold it, with the 95 % interval
of that share over simulations. The mean width is on the scale of the value.

"""
_HEAD = """
| World | n | Simulations | Coverage | Mean width |
| --- | --- | --- | --- | --- |"""


def coverage_pages(root: Path) -> dict[str, str | bytes]:
    """The page: path on the site -> content."""
    return {ADDRESS: page(pd.read_csv(root / TABLE))}


def page(table: pd.DataFrame) -> str:
    """The text, and for each rule a table and where it holds less or more often than it says.

    Parameters
    ----------
    table : as `coverage_of_rules.counted` gives its rows.
    """
    parts = []
    for rule, text in RULES.items():
        rows = table[table["rule"] == rule]
        parts += [text, _HEAD, *(_line(row) for row in rows.itertuples()), ""]
        off = {
            "Less often than in 95 %": rows[rows["coverage_high"] < NOMINAL],
            "More often, so wider than need be": rows[rows["coverage_low"] > NOMINAL],
        }
        for what, found in off.items():
            worlds = found.groupby("world", sort=False)["n"]
            names = "; ".join(f"{world} ({', '.join(map(str, n))})" for world, n in worlds)
            parts += [f"{what}: {names}.\n"] if names else []
    return _PAGE + "\n".join(parts).rstrip() + "\n"


def _line(row: object) -> str:
    share = f"{row.coverage:.1%} ({row.coverage_low:.1%} to {row.coverage_high:.1%})"
    return f"| {row.world} | {row.n} | {row.simulations} | {share} | {row.mean_width:.2g} |"
