"""Draw one figure of a study."""

from collections.abc import Mapping, Sequence

from fairflow.files.logs import log_to
from fairflow.files.tables import read_headlines, read_table
from fairflow.products.figures import draw
from fairflow.products.figures.save_figure import save_figure
from fairflow.products.figures.study_frames import StudyFrames


def plot_figure(
    figure: str,
    paths_to_tables: Mapping[str, str],
    labels: Mapping[str, str],
    readings: Mapping[str, str],
    paths_to_figure: Sequence[str],
) -> None:
    scores = read_headlines(paths_to_tables["scores"])
    rest = {n: read_table(path) for n, path in paths_to_tables.items() if n != "scores"}
    frames = StudyFrames(scores, **rest, labels=dict(labels), readings=dict(readings))
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
