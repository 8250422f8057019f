"""Record the checksums of all results of a run."""

from fairflow.files.atomic import write_text
from fairflow.files.jobs import run
from fairflow.provenance.checksums import checksum_lines

if __name__ == "__main__":
    run(snakemake, lambda job: write_text(checksum_lines(job.input), job.output.checksums))
