"""Write the tables of a study as LaTeX, and its figures with their numbers and captions."""

from pathlib import Path
from typing import Any

from fairflow.files.atomic import write_text
from fairflow.files.jobs import run
from fairflow.files.tables import read_table, write_table
from fairflow.products.figures import caption, draw, source_data
from fairflow.products.figures._save_figure import save_figure
from fairflow.products.figures._study_frames import read_frames
from fairflow.products.paper.latex import file_text
from fairflow.products.paper.study_tables import StudyTables, score_table


def print_study(
    tables: dict[str, str],
    names: dict[str, dict[str, Any]],
    about: dict[str, Any],
    paths_to_tables: list[str],
    paths_to_figures: list[str],
    paths_to_sources: list[str],
    paths_to_captions: list[str],
) -> None:
    study, title, labels = about["study"], about["title"], names["labels"]
    scores, written = read_table(tables["scores"]), {}
    for metric, settings in about["metrics"].items():
        table = score_table(scores[scores["metric"] == metric], study, title, labels, *settings)
        written[f"scores_{metric}"] = file_text("scores", [table])
    read = {name: read_table(tables[name]) for name in ("ranking", "published")}
    written |= StudyTables(read, study, title, labels).files()
    for path in paths_to_tables:
        write_text(written[Path(path).stem], path)
    frames = read_frames(tables, names)
    files = zip(paths_to_figures, paths_to_sources, paths_to_captions, strict=True)
    for path, path_to_source, path_to_caption in files:
        name = Path(path).stem
        drawn = draw(name, frames)
        told = caption(name, frames, drawn)
        save_figure(drawn, [path], told)
        write_table(source_data(name, frames), path_to_source)
        write_text(f"{told}\n", path_to_caption)


if __name__ == "__main__":
    tables = {name: path for name, path in snakemake.input.items() if name != "style"}
    run(snakemake, print_study, tables=tables, paths_to_tables=[*snakemake.output.tables])
