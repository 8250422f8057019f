"""Write the report of a run as one page."""

import os
from pathlib import Path
from typing import Any

import pandas as pd

from fairflow.files.atomic import write_text
from fairflow.files.jobs import run
from fairflow.files.tables import read_table
from fairflow.products.report.page import page
from fairflow.products.report.study_section import sections
from fairflow.studies.claims.study_claims import read_stated


def write_report(
    run: dict[str, Any],
    paths_to_claims: list[str],
    paths_to_tables: list[str],
    paths_to_figures: list[str],
    paths_to_norms: list[str],
    path_to_page: str,
) -> None:
    places = {(Path(path).parent.name, Path(path).stem): path for path in paths_to_tables}
    parts = sections(
        run,
        [read_stated(path) for path in paths_to_claims],
        {place: read_table(path) for place, path in places.items()},
        dict(zip(run["figures"], paths_to_figures, strict=True)),
    )
    norms = [read_table(path) for path in paths_to_norms]
    # results/report.html, or the page of an audit in its folder.
    place = os.path.relpath("results", Path(path_to_page).parent)
    results = "" if place == "." else f"{Path(place).as_posix()}/"
    text = page(run, parts, pd.concat(norms) if norms else pd.DataFrame(), results)
    write_text(text, path_to_page)


if __name__ == "__main__":
    run(snakemake, write_report)
