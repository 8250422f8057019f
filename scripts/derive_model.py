"""Derive a model from another one."""

from collections.abc import Mapping
from typing import Any

from fairflow.files.logs import log_to
from fairflow.transforms import transform_class
from fairflow.vectors.derive import derive


def derive_model(
    paths_to_base: Mapping[str, str],
    transform: str,
    parameters: Mapping[str, Any],
    paths_to_store: Mapping[str, str],
) -> None:
    derive(
        paths_to_base,
        transform_class(transform)(**parameters),
        **paths_to_store,
        facts={"transform": transform, "parameters": dict(parameters)},
    )


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        derive_model(
            paths_to_base=dict(snakemake.input.items()),
            transform=snakemake.params.transform,
            parameters=snakemake.params.parameters,
            paths_to_store=dict(snakemake.output.items()),
        )
