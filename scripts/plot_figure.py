"""Draw one figure of a study."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.products.figures import caption, draw
from fairflow.products.figures._save_figure import save_figure
from fairflow.products.figures._study_frames import read_frames


def plot_figure(
    figure: str,
    tables: dict[str, str],
    names: dict[str, dict[str, Any]],
    paths_to_figure: list[str],
) -> None:
    frames = read_frames(tables, names)
    drawn = draw(figure, frames)
    save_figure(drawn, paths_to_figure, caption(figure, frames, drawn))


if __name__ == "__main__":
    tables = {name: path for name, path in snakemake.input.items() if name != "style"}
    run(snakemake, plot_figure, tables=tables, paths_to_figure=[*snakemake.output])
