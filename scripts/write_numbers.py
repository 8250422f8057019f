"""Write the numbers of all studies as LaTeX macros."""

from fairflow.files.atomic import write_text
from fairflow.files.jobs import run
from fairflow.files.tables import read_table
from fairflow.products.paper.numbers import numbers_file


def write_numbers(
    studies: list[str], paths_to_tables: dict[str, list[str]], path_to_numbers: str
) -> None:
    frames = {
        study: {table: read_table(paths[i]) for table, paths in paths_to_tables.items()}
        for i, study in enumerate(studies)
    }
    write_text(numbers_file(frames), path_to_numbers)


if __name__ == "__main__":
    run(snakemake, write_numbers, paths_to_tables=dict(snakemake.input.items()))
