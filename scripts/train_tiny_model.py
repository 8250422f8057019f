"""Train a tiny language model on generated text."""

from collections.abc import Mapping
from typing import Any

from fairflow.files.logs import log_to
from fairflow.language_models.folders.model_files import write_manifest


def train(
    kind: str, source: Mapping[str, Any], seed: int, path_to_folder: str, path_to_manifest: str
) -> None:
    from fairflow.language_models.networks.tiny.tiny_models import TinyModel, train_tiny_model

    loss = train_tiny_model(TinyModel(kind, **{"seed": seed, **source["tiny"]}), path_to_folder)
    write_manifest(path_to_folder, source, path_to_manifest, loss=loss)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        train(
            kind=snakemake.params.kind,
            source=snakemake.params.source,
            seed=snakemake.params.seed,
            path_to_folder=snakemake.output.folder,
            path_to_manifest=snakemake.output.manifest,
        )
