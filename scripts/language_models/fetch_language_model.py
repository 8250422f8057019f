"""Bring the files of a language model: of a hub, of a local folder, or out of one file."""

from fairflow.files.jobs import running
from fairflow.language_models.checkpoints.model_files import (
    fetch_from_hub,
    link_folder,
    write_manifest,
)
from fairflow.language_models.checkpoints.packed_model import unpack_model

with running(snakemake) as job:
    source, folder, facts = job.params.how["source"], job.output.folder, {}
    checksums = source.get("checksums", {})
    if "folder" in source:
        link_folder(source["folder"], folder)
    elif "hub" in source:
        fetch_from_hub(source["hub"], source["revision"], checksums, folder, source["kind"])
    else:
        packed = source["packing"], checksums, folder, source["kind"], source.get("format")
        facts = unpack_model(job.input.file, *packed)
    write_manifest(folder, source, job.output.manifest, **facts)
