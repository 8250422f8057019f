"""Write the tables of a study but its scores as LaTeX."""

from fairflow.files.atomic import write_text
from fairflow.files.jobs import run
from fairflow.files.tables import read_table
from fairflow.products.paper.study_tables import StudyTables


def write_study_tables(
    study: str,
    title: str,
    labels: dict[str, str],
    paths_to_frames: dict[str, str],
    paths_to_tables: dict[str, str],
) -> None:
    frames = {name: read_table(path) for name, path in paths_to_frames.items()}
    texts = StudyTables(frames, study, title, labels).files()
    for name, path in paths_to_tables.items():
        write_text(texts[name], path)


if __name__ == "__main__":
    run(
        snakemake,
        write_study_tables,
        paths_to_frames=dict(snakemake.input.items()),
        paths_to_tables=dict(snakemake.output.items()),
    )
