"""Convert a model to word2vec format and index it."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.vectors.convert import convert


def convert_model(
    path_to_source: str, entry: dict[str, Any], paths_to_store: dict[str, str]
) -> None:
    how = dict(entry)
    convert(path_to_source, how.pop("format"), **paths_to_store, **how)


if __name__ == "__main__":
    run(snakemake, convert_model, paths_to_store=dict(snakemake.output.items()))
