"""Record the checksums of all results of a run."""

from fairflow.files.atomic import write_text
from fairflow.files.jobs import running
from fairflow.provenance.checksums import checksum_lines

with running(snakemake) as job:
    write_text(checksum_lines(job.input), job.output.checksums)
