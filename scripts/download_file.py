"""Fetch a file from the first source that answers, and verify it."""

from functools import partial

from fairflow.files.downloads import fetch
from fairflow.files.jobs import running
from fairflow.vectors.file_content import check_uses

with running(snakemake) as job:
    how = dict(job.params.how)
    check = partial(check_uses, uses=how.pop("uses"))
    # Where a file is fetched from does not change it, so mirrors are no parameter.
    fetch(target=job.output.file, check=check, mirrors=job.config.get("mirrors", ()), **how)
