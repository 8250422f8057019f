"""Make the folder of a language model from the file that holds it."""

from collections.abc import Mapping
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.language_models.folders.model_files import write_manifest
from fairflow.language_models.folders.packed_model import unpack_model


def unpack_language_model(
    path_to_file: str, source: Mapping[str, Any], path_to_folder: str, path_to_manifest: str
) -> None:
    facts = unpack_model(
        path_to_file,
        source["packing"],
        source.get("checksums", {}),
        path_to_folder,
        source["kind"],
        source.get("format"),
    )
    write_manifest(path_to_folder, source, path_to_manifest, **facts)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        unpack_language_model(
            path_to_file=snakemake.input.file,
            source=snakemake.params.source,
            path_to_folder=snakemake.output.folder,
            path_to_manifest=snakemake.output.manifest,
        )
