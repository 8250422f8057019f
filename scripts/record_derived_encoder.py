"""Record how a language model comes from another one."""

from fairflow.files.atomic import write_json
from fairflow.files.jobs import log_to
from fairflow.provenance.records import derived, listed


def record_derived_encoder(
    path_to_derivation: str, path_to_manifest: str, path_to_record: str
) -> None:
    write_json(derived(path_to_derivation, listed(path_to_manifest)), path_to_record)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        record_derived_encoder(
            path_to_derivation=snakemake.input.derivation,
            path_to_manifest=snakemake.input.manifest,
            path_to_record=snakemake.output.record,
        )
