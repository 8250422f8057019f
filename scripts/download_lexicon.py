"""Fetch the file of a lexicon and verify it."""

from fairflow.downloads import fetch
from fairflow.logs import log_to

if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        fetch(
            source=snakemake.params.source,
            target=str(snakemake.output),
            checksum=snakemake.params.sha256,
        )
