"""Derive a model from another one."""

from collections.abc import Mapping
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.transforms import transform_class
from fairflow.vectors.derivation import derive


def derive_model(
    model: str,
    base: Mapping[str, Any],
    name: str,
    transform: str,
    parameters: Mapping[str, Any],
    prefix: str | None,
    path_to_derivation: str,
) -> None:
    derive(
        transform_class(transform)(**parameters),
        path_to_derivation,
        **base,
        prefix=prefix,
        facts={"from": name, "transform": transform, "parameters": dict(parameters)},
        entry=f"models.yaml: {model}.derive",
    )


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        derive_model(
            model=snakemake.wildcards.model,
            base=dict(snakemake.input.items()),
            name=snakemake.params.base,
            transform=snakemake.params.transform,
            parameters=snakemake.params.parameters,
            prefix=snakemake.params.prefix,
            path_to_derivation=snakemake.output.derivation,
        )
