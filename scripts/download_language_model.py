"""Bring the files of a language model: from a hub at a pinned revision, or a local folder."""

from fairflow.files.jobs import log_to
from fairflow.language_models.checkpoints.model_files import (
    fetch_from_hub,
    link_folder,
    write_manifest,
)

if __name__ == "__main__":
    source, folder = snakemake.params.how["source"], snakemake.output.folder
    with log_to(str(snakemake.log)):
        if "folder" in source:
            link_folder(source["folder"], folder)
        else:
            checksums = source.get("checksums", {})
            fetch_from_hub(source["hub"], source["revision"], checksums, folder, source["kind"])
        write_manifest(folder, source, snakemake.output.manifest)
