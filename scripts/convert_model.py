"""Convert a model to word2vec format and index it."""

from collections.abc import Mapping
from typing import Any

from fairflow.files.jobs import run
from fairflow.vectors.convert import convert


def convert_model(
    path_to_source: str, entry: Mapping[str, Any], paths_to_store: Mapping[str, str]
) -> None:
    convert(
        path_to_source,
        entry["format"],
        **paths_to_store,
        packing=entry["packing"],
        promised=entry["promised"],
        words=entry["words"],
        subwords=entry.get("subwords", False),
    )


if __name__ == "__main__":
    run(snakemake, convert_model, paths_to_store=dict(snakemake.output.items()))
