"""Record what the command line of a run of language models changed in the configuration."""

from fairflow.files.logs import log_to
from fairflow.files.text_files import write_json

if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        write_json({"run": snakemake.params.settings}, snakemake.output.settings)
