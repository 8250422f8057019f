"""Bring the files of a language model: from a hub at a pinned revision, or a local folder."""

from collections.abc import Mapping
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.language_models.folders.model_files import fetch_from_hub, link_folder, write_manifest


def fetch_language_model(
    source: Mapping[str, Any], path_to_folder: str, path_to_manifest: str
) -> None:
    if "folder" in source:
        link_folder(source["folder"], path_to_folder)
    else:
        checksums = source.get("checksums", {})
        fetch_from_hub(source["hub"], source["revision"], checksums, path_to_folder, source["kind"])
    write_manifest(path_to_folder, source, path_to_manifest)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        fetch_language_model(
            source=snakemake.params.source,
            path_to_folder=snakemake.output.folder,
            path_to_manifest=snakemake.output.manifest,
        )
