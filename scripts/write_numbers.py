"""Write the numbers of all studies as LaTeX macros."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from fairflow.files.atomic import atomic_path
from fairflow.files.jobs import run
from fairflow.files.tables import read_table
from fairflow.products.paper.numbers import numbers_file


def write_numbers(
    studies: Sequence[str], paths_to_tables: Mapping[str, Sequence[str]], path_to_numbers: str
) -> None:
    frames = {
        study: {table: read_table(paths[i]) for table, paths in paths_to_tables.items()}
        for i, study in enumerate(studies)
    }
    with atomic_path(path_to_numbers) as temporary:
        Path(temporary).write_text(numbers_file(frames), encoding="utf-8")


if __name__ == "__main__":
    run(snakemake, write_numbers, paths_to_tables=dict(snakemake.input.items()))
