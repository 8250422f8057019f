"""Fetch a file from the first source that answers, and verify it."""

from functools import partial
from typing import Any

from fairflow.files.downloads import fetch
from fairflow.files.jobs import run
from fairflow.vectors.file_content import check_uses


def download_file(job: Any) -> None:
    how = dict(job.params.how)
    check = partial(check_uses, uses=how.pop("uses"))
    # Where a file is fetched from does not change it, so mirrors are no parameter.
    fetch(target=job.output.file, check=check, mirrors=job.config.get("mirrors", ()), **how)


if __name__ == "__main__":
    run(snakemake, download_file)
