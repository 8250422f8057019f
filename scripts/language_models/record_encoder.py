"""Record how a derived language model comes from another."""

from fairflow.files.atomic import write_json
from fairflow.files.jobs import running
from fairflow.provenance.model_record import derived, manifest_facts

with running(snakemake) as job:
    # Of a language model the list of its files is its record.
    write_json(derived(job.input.derivation, manifest_facts(job.input.manifest)), job.output.record)
