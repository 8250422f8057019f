"""Record what the command line of a run of language models changed in the configuration."""

from fairflow.files.atomic import write_json
from fairflow.files.jobs import log_to

if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        write_json({"run": snakemake.params.settings}, snakemake.output.settings)
