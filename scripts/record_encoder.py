"""Record how a derived language model comes from another."""

from fairflow.files.atomic import write_json
from fairflow.files.jobs import run
from fairflow.provenance.records import derived, listed


def record_encoder(path_to_derivation: str, path_to_manifest: str, path_to_record: str) -> None:
    # Of a language model the list of its files is its record.
    write_json(derived(path_to_derivation, listed(path_to_manifest)), path_to_record)


if __name__ == "__main__":
    run(snakemake, record_encoder)
