"""Write the report of a run as one page."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from fairflow.files.atomic import atomic_path
from fairflow.files.jobs import log_to
from fairflow.files.tables import read_table
from fairflow.products.report.page import page
from fairflow.products.report.study_section import sections
from fairflow.studies.findings.finding import read_findings


def write_report(
    run: Mapping[str, Any],
    paths_to_conclusions: Sequence[str],
    paths_to_tables: Mapping[tuple[str, str], str],
    paths_to_figures: Mapping[str, str],
    paths_to_audits: Sequence[str],
    path_to_report: str,
) -> None:
    parts = sections(
        run,
        [read_findings(path) for path in paths_to_conclusions],
        {place: read_table(path) for place, path in paths_to_tables.items()},
        paths_to_figures,
    )
    audits = [read_table(path) for path in paths_to_audits]
    # results/report.html, or that of an audit in a folder of its own.
    place = os.path.relpath("results", Path(path_to_report).parent)
    results = "" if place == "." else f"{Path(place).as_posix()}/"
    text = page(run, parts, pd.concat(audits) if audits else pd.DataFrame(), results)
    with atomic_path(path_to_report) as temporary:
        temporary.write_text(text, encoding="utf-8")


def by_study_and_table(run: Mapping[str, Any], paths: Sequence[str]) -> dict[tuple[str, str], str]:
    places = map(Path, run["tables"])
    names = [(place.parent.name, place.stem) for place in places]
    return dict(zip(names, paths, strict=True))


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        write_report(
            run=snakemake.params.run,
            paths_to_conclusions=snakemake.input.conclusions,
            paths_to_tables=by_study_and_table(snakemake.params.run, snakemake.input.tables),
            paths_to_figures=dict(
                zip(snakemake.params.run["figures"], snakemake.input.figures, strict=True)
            ),
            paths_to_audits=snakemake.input.audits,
            path_to_report=snakemake.output.page,
        )
