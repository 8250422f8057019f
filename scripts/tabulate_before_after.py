"""Tabulate the scores of a study before and after."""

from typing import Any

import pandas as pd

from fairflow.files.jobs import run
from fairflow.files.tables import read_scores, read_table, write_table
from fairflow.studies.before_after import before_after, size_changes


def tabulate_before_after(
    path_to_scores: str,
    paths_to_differences: list[str],
    how: dict[str, Any],
    path_to_table: str,
) -> None:
    scores, pairs = read_table(path_to_scores), read_scores(paths_to_differences)
    compared = before_after(
        scores, pairs, how["before"], how["after"], how["directions"], how["scaling"]
    )
    sizes = size_changes(compared, pairs, how["directions"], how["level"], how["overlaps"])
    write_table(pd.concat([compared, sizes]) if len(sizes) else compared, path_to_table)


if __name__ == "__main__":
    run(snakemake, tabulate_before_after)
