"""Record how a language model comes from another one."""

from fairflow.files.atomic import write_json
from fairflow.files.jobs import log_to
from fairflow.provenance.records import derived, listed

if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        comes_from = listed(snakemake.input.manifest)
        write_json(derived(snakemake.input.derivation, comes_from), snakemake.output.record)
