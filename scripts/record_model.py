"""Record the checksums of a converted model."""

from fairflow.files.atomic import read_json, write_json
from fairflow.files.jobs import run
from fairflow.provenance.records import converted


def record_model(
    path_to_vectors: str, path_to_index: str, path_to_card: str, path_to_record: str
) -> None:
    card = read_json(path_to_card)
    write_json(converted(path_to_vectors, path_to_index, path_to_card, card), path_to_record)


if __name__ == "__main__":
    run(snakemake, record_model)
