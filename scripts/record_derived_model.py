"""Record how a derived model, of words or of texts, comes from another one."""

from fairflow.files.atomic import read_json, write_json
from fairflow.files.jobs import run
from fairflow.provenance.records import derived, listed


def record_derived_model(
    path_to_derivation: str,
    path_to_record: str,
    path_to_origin: str = "",
    path_to_manifest: str = "",
) -> None:
    # Of a language model the list of its files is its record.
    origin = listed(path_to_manifest) if path_to_manifest else read_json(path_to_origin)
    write_json(derived(path_to_derivation, origin), path_to_record)


if __name__ == "__main__":
    run(snakemake, record_derived_model)
