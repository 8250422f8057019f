"""Write the report of a run as one page."""

import os
from pathlib import Path

import pandas as pd

from fairflow.files.atomic import write_text
from fairflow.files.jobs import running
from fairflow.products.report.page import page
from fairflow.products.report.study_section import sections
from fairflow.studies.claims.study_claims import read_stated
from fairflow.studies.columns import read_table

with running(snakemake) as job:
    read, described = job.input, job.params.run
    parts = sections(
        described,
        [read_stated(path) for path in read.claims],
        {(Path(path).parent.name, Path(path).stem): read_table(path) for path in read.tables},
        dict(zip(described["figures"], read.figures, strict=True)),
    )
    norms = [read_table(path) for path in read.norms]
    # results/report.html, or the page of an audit in its folder.
    place = os.path.relpath("results", Path(job.output.page).parent)
    results = "" if place == "." else f"{Path(place).as_posix()}/"
    text = page(described, parts, pd.concat(norms) if norms else pd.DataFrame(), results)
    write_text(text, job.output.page)
