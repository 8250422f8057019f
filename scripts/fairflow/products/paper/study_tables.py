"""All LaTeX tables of a study but those of its scores, by file name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from fairflow.products.paper.correlation_table import correlation_table
from fairflow.products.paper.model_tables import (
    aggregate_tables,
    rank_tables,
    rank_uncertainty_tables,
)
from fairflow.products.paper.published_tables import published_table, verdict_table
from fairflow.products.paper.table import Table

NEEDS = (
    "% Needs the packages array, booktabs and longtable, one column and lines of 16 cm or more,\n"
    r"% as by \usepackage[margin=2.5cm]{geometry}." + "\n"
)


def study_tables(
    frames: Mapping[str, pd.DataFrame], study: str, title: str, labels: Mapping[str, str]
) -> dict[str, str]:
    """LaTeX of the tables of a study.

    Parameters
    ----------
    frames : aggregates, ranking, correlations, rank_uncertainty, friedman and published.

    Returns
    -------
    aggregates, ranks, correlations, rank_uncertainty, published, verdicts -> LaTeX; a comment for
    a table that would be empty.
    """
    about = (study, title, labels)
    tables: dict[str, Sequence[Table | None]] = {
        "aggregates": aggregate_tables(frames["aggregates"], *about),
        "ranks": rank_tables(frames["ranking"], *about),
        "correlations": [correlation_table(frames["correlations"], *about)],
        "rank_uncertainty": rank_uncertainty_tables(
            frames["rank_uncertainty"], frames["friedman"], *about
        ),
        "published": [published_table(frames["published"], *about)],
        "verdicts": [verdict_table(frames["published"], study, title)],
    }
    return {name: file_text(name, parts) for name, parts in tables.items()}


def file_text(name: str, tables: Sequence[Table | None]) -> str:
    """A file of tables; one without any says so in a comment."""
    filled = [table.latex() for table in tables if table]
    return NEEDS + ("\n".join(filled) or f"% This study has nothing to show of {name}.\n")
