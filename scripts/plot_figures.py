"""Draw the figures of a study in one format."""

from pathlib import Path
from typing import Any

from fairflow.files.jobs import run
from fairflow.products.figures import caption, draw
from fairflow.products.figures._save_figure import save_figure
from fairflow.products.figures._study_frames import read_frames


def plot_figures(
    tables: dict[str, str], names: dict[str, dict[str, Any]], paths_to_tables: list[str]
) -> None:
    frames = read_frames(tables, names)
    for path in paths_to_tables:
        name = Path(path).stem
        drawn = draw(name, frames)
        save_figure(drawn, [path], caption(name, frames, drawn))


if __name__ == "__main__":
    tables = {name: path for name, path in snakemake.input.items() if name != "style"}
    run(snakemake, plot_figures, tables=tables)
