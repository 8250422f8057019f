"""Draw the figures of a study in one format."""

from pathlib import Path

from fairflow.files.jobs import running
from fairflow.products.figures import caption, draw
from fairflow.products.figures._save_figure import save_figure
from fairflow.products.figures._study_frames import read_frames

with running(snakemake) as job:
    tables = {name: path for name, path in job.input.items() if name != "style"}
    frames = read_frames(tables, job.params.names)
    for path in job.output:
        name = Path(path).stem
        drawn = draw(name, frames)
        save_figure(drawn, [path], caption(name, frames, drawn))
