"""Write the tables of a study as LaTeX, and its figures with their numbers and captions."""

from pathlib import Path

from fairflow.files.atomic import write_text
from fairflow.files.jobs import running
from fairflow.files.tables import write_table
from fairflow.products.figures import caption, draw, source_data
from fairflow.products.figures._save_figure import save_figure
from fairflow.products.figures._study_frames import read_frames
from fairflow.products.paper.latex import file_text
from fairflow.products.paper.study_tables import StudyTables, score_table
from fairflow.studies.columns import read_table

with running(snakemake) as job:
    tables = {name: path for name, path in job.input.items() if name != "style"}
    about, names, made = job.params.about, job.params.names, job.output
    study, title, labels = about["study"], about["title"], names["labels"]
    scores, written = read_table(tables["scores"]), {}
    for metric, settings in about["metrics"].items():
        table = score_table(scores[scores["metric"] == metric], study, title, labels, *settings)
        written[f"scores_{metric}"] = file_text("scores", [table])
    read = {name: read_table(tables[name]) for name in ("ranking", "published")}
    written |= StudyTables(read, study, title, labels).files()
    for path in made.tables:
        write_text(written[Path(path).stem], path)
    frames = read_frames(tables, names)
    files = zip(made.figures, made.sources, made.captions, strict=True)
    for path, path_to_source, path_to_caption in files:
        name = Path(path).stem
        drawn = draw(name, frames)
        told = caption(name, frames, drawn)
        save_figure(drawn, [path], told)
        write_table(source_data(name, frames), path_to_source)
        write_text(f"{told}\n", path_to_caption)
