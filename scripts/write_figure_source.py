"""Write what one figure shows: its numbers and its description, beside the figure itself."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from fairflow.files.atomic import atomic_path
from fairflow.files.jobs import log_to
from fairflow.files.tables import write_table
from fairflow.products.figures import alt_text, source_data
from fairflow.products.figures._study_frames import read_frames


def write_figure_source(
    figure: str,
    paths_to_tables: Mapping[str, str],
    labels: Mapping[str, str],
    readings: Mapping[str, str],
    path_to_figure: str,
    path_to_copy: str,
    path_to_source: str,
    path_to_description: str,
) -> None:
    frames = read_frames(paths_to_tables, labels, readings)
    write_table(source_data(figure, frames), path_to_source)
    with atomic_path(path_to_description) as temporary:
        Path(temporary).write_text(alt_text(figure, frames), encoding="utf-8")
    with atomic_path(path_to_copy) as temporary:
        shutil.copyfile(path_to_figure, temporary)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        write_figure_source(
            figure=snakemake.wildcards.figure,
            paths_to_tables={n: p for n, p in snakemake.input.items() if n != "figure"},
            labels=snakemake.params.labels,
            readings=snakemake.params.readings,
            path_to_figure=snakemake.input.figure,
            path_to_copy=snakemake.output.figure,
            path_to_source=snakemake.output.source,
            path_to_description=snakemake.output.description,
        )
