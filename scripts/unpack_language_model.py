"""Make the folder of a language model from the file that holds it."""

from fairflow.files.jobs import log_to
from fairflow.language_models.checkpoints.model_files import write_manifest
from fairflow.language_models.checkpoints.packed_model import unpack_model

if __name__ == "__main__":
    source, folder = snakemake.params.how["source"], snakemake.output.folder
    with log_to(str(snakemake.log)):
        facts = unpack_model(
            snakemake.input.file,
            source["packing"],
            source.get("checksums", {}),
            folder,
            source["kind"],
            source.get("format"),
        )
        write_manifest(folder, source, snakemake.output.manifest, **facts)
