"""Fetch a file from the first source that answers, and verify it."""

from functools import partial

from fairflow.files.downloads import fetch
from fairflow.files.jobs import log_to
from fairflow.vectors.file_content import check_uses

if __name__ == "__main__":
    how = snakemake.params.how
    with log_to(str(snakemake.log)):
        fetch(
            sources=how["sources"],
            target=snakemake.output.file,
            checksum=how["checksum"],
            names=how["names"],
            size=how["size"],
            check=partial(check_uses, uses=how["uses"]),
            # Where a file is fetched from does not change it, so mirrors are no parameter.
            mirrors=snakemake.config.get("mirrors", ()),
        )
