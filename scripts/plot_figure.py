"""Draw one figure of a study."""

from collections.abc import Mapping, Sequence

from fairflow.files.jobs import log_to
from fairflow.products.figures import draw
from fairflow.products.figures._save_figure import save_figure
from fairflow.products.figures._study_frames import read_frames


def plot_figure(
    figure: str,
    paths_to_tables: Mapping[str, str],
    labels: Mapping[str, str],
    readings: Mapping[str, str],
    paths_to_figure: Sequence[str],
) -> None:
    frames = read_frames(paths_to_tables, labels, readings)
    save_figure(draw(figure, frames), paths_to_figure)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        plot_figure(
            figure=snakemake.wildcards.figure,
            paths_to_tables={n: p for n, p in snakemake.input.items() if n != "style"},
            labels=snakemake.params.labels,
            readings=snakemake.params.readings,
            paths_to_figure=list(snakemake.output),
        )
