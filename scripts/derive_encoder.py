"""Derive a language model from another one: fit how the vectors of texts change."""

from collections.abc import Mapping, Sequence
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.language_models.slices.derived_texts import derive_texts
from fairflow.transforms import transform_class


def derive_encoder(
    model: str,
    base: str,
    transform: str,
    parameters: Mapping[str, Any],
    recorded: Mapping[str, Any],
    paths_to_embeddings: Sequence[str],
    paths_to_derivations: Sequence[str],
    path_to_derivation: str,
) -> None:
    derive_texts(
        transform_class(transform)(**parameters),
        path_to_derivation,
        paths_to_embeddings,
        paths_to_derivations,
        facts={"from": base, "transform": transform, "parameters": dict(recorded)},
        entry=f"language_models.yaml: {model}.derive",
    )


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        derive_encoder(
            model=snakemake.wildcards.model,
            paths_to_embeddings=snakemake.input.embeddings,
            paths_to_derivations=snakemake.input.derivations,
            path_to_derivation=snakemake.output.derivation,
            **snakemake.params.how,
        )
