"""Write the numbers and the caption of one figure next to a copy of it."""

import shutil
from typing import Any

from fairflow.files.atomic import atomic_path, write_text
from fairflow.files.jobs import run
from fairflow.files.tables import write_table
from fairflow.products.figures import caption_in, source_data
from fairflow.products.figures._study_frames import read_frames


def write_figure_source(
    figure: str,
    tables: dict[str, str],
    names: dict[str, dict[str, Any]],
    path_to_figure: str,
    path_to_svg: str,
    path_to_copy: str,
    path_to_source: str,
    path_to_caption: str,
) -> None:
    frames = read_frames(tables, names)
    write_table(source_data(figure, frames), path_to_source)
    write_text(f"{caption_in(path_to_svg)}\n", path_to_caption)
    with atomic_path(path_to_copy) as temporary:
        shutil.copyfile(path_to_figure, temporary)


if __name__ == "__main__":
    inputs = snakemake.input
    tables = {name: path for name, path in inputs.items() if name not in ("figure", "svg")}
    files = {"path_to_figure": inputs.figure, "path_to_svg": inputs.svg}
    files["path_to_copy"] = snakemake.output.figure
    run(snakemake, write_figure_source, tables=tables, **files)
