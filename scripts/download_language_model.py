"""Bring the files of a language model: from a hub, a local folder, or the file that holds it."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.language_models.checkpoints.model_files import (
    fetch_from_hub,
    link_folder,
    write_manifest,
)


def download_language_model(
    source: dict[str, Any], path_to_folder: str, path_to_manifest: str, path_to_file: str = ""
) -> None:
    checksums, facts = source.get("checksums", {}), {}
    if path_to_file:
        from fairflow.language_models.checkpoints.packed_model import unpack_model

        how = source["packing"], checksums, path_to_folder, source["kind"], source.get("format")
        facts = unpack_model(path_to_file, *how)
    elif "folder" in source:
        link_folder(source["folder"], path_to_folder)
    else:
        place = source["hub"], source["revision"], checksums, path_to_folder
        fetch_from_hub(*place, source["kind"])
    write_manifest(path_to_folder, source, path_to_manifest, **facts)


if __name__ == "__main__":
    run(snakemake, download_language_model)
