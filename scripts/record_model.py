"""Record the checksums of a converted model, or how a derived one comes from another."""

from fairflow.files.atomic import read_json, write_json
from fairflow.files.jobs import run
from fairflow.provenance.records import converted, derived, listed


def record_model(
    path_to_record: str,
    path_to_vectors: str = "",
    path_to_index: str = "",
    path_to_card: str = "",
    path_to_derivation: str = "",
    path_to_origin: str = "",
    path_to_manifest: str = "",
) -> None:
    if not path_to_derivation:
        card = read_json(path_to_card)
        found = converted(path_to_vectors, path_to_index, path_to_card, card)
    else:
        # Of a language model the list of its files is its record.
        origin = listed(path_to_manifest) if path_to_manifest else read_json(path_to_origin)
        found = derived(path_to_derivation, origin)
    write_json(found, path_to_record)


if __name__ == "__main__":
    run(snakemake, record_model)
