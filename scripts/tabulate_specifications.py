"""Compare every two models of a study in every specification that could be defended."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.files.tables import read_table, write_table
from fairflow.studies.multiverse import specification_curve, with_absent
from fairflow.studies.validity.seed_sets import as_word_lists


def tabulate_specifications(
    path_to_scores: str,
    settings: dict[str, Any],
    absent: list[str],
    paths_to_others: list[str],
    paths_to_swapped: list[str],
    path_to_table: str,
) -> None:
    others = [read_table(path) for path in paths_to_others]
    for path in paths_to_swapped:
        published, settings = as_word_lists(read_table(path), settings)
        others.append(published)
    curve = specification_curve(read_table(path_to_scores), others, settings)
    write_table(with_absent(curve, absent), path_to_table)


if __name__ == "__main__":
    run(snakemake, tabulate_specifications)
