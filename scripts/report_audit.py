"""Draw the figures of an audit, and write its report."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from fairflow.files.atomic import atomic_path
from fairflow.files.jobs import log_to
from fairflow.files.tables import read_table
from fairflow.products.figures import draw
from fairflow.products.figures._save_figure import save_figure
from fairflow.products.figures._study_frames import StudyFrames
from fairflow.products.report.page import page
from fairflow.products.report.study_section import sections
from fairflow.studies.findings.finding import read_findings
from fairflow.studies.tables import FIGURES, KINDS, study_tables


def draw_figures(
    tables: Mapping[str, pd.DataFrame], labels: Mapping[str, str], paths: Mapping[str, str]
) -> None:
    read = {one.name for one in study_tables(FIGURES, *KINDS)}
    of_figures = {name: table for name, table in tables.items() if name in read}
    of_figures["scores"] = of_figures["scores"].query("headline")
    frames = StudyFrames(**of_figures, labels=dict(labels))
    for figure, path in paths.items():
        save_figure(draw(figure, frames), [path])


def report_audit(
    run: Mapping[str, Any],
    paths_to_tables: Sequence[str],
    paths_to_audits: Sequence[str],
    path_to_conclusions: str,
    paths_to_figures: Mapping[str, str],
    path_to_report: str,
) -> None:
    (study,) = run["studies"]
    tables = {Path(path).stem: read_table(path) for path in paths_to_tables}
    draw_figures(tables, study["labels"], paths_to_figures)
    parts = sections(
        run,
        [read_findings(path_to_conclusions)],
        {(study["name"], name): table for name, table in tables.items()},
        {f"{study['name']}/{name}": path for name, path in paths_to_figures.items()},
    )
    audits = [read_table(path) for path in paths_to_audits]
    text = page(run, parts, pd.concat(audits) if audits else pd.DataFrame(), audit=True)
    with atomic_path(path_to_report) as temporary:
        temporary.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        report_audit(
            run=snakemake.params.run,
            paths_to_tables=snakemake.input.tables,
            paths_to_audits=snakemake.input.audits,
            path_to_conclusions=snakemake.input.conclusions,
            paths_to_figures={Path(path).stem: path for path in snakemake.output.figures},
            path_to_report=snakemake.output.page,
        )
