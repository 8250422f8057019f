"""Record how a derived language model comes from another."""

from typing import Any

from fairflow.files.atomic import write_json
from fairflow.files.jobs import run
from fairflow.provenance.records import derived, listed


def record_encoder(job: Any) -> None:
    # Of a language model the list of its files is its record.
    write_json(derived(job.input.derivation, listed(job.input.manifest)), job.output.record)


if __name__ == "__main__":
    run(snakemake, record_encoder)
