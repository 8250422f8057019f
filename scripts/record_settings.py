"""Record what the command line of a run changed in the configuration."""

from fairflow.files.atomic import write_json
from fairflow.files.jobs import running

with running(snakemake) as job:
    write_json({"run": job.params.settings}, job.output.settings)
