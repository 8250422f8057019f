"""Derive a model from another one."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.transforms import transform_class
from fairflow.vectors.derivation import derive


def derive_model(
    model: str,
    inputs: dict[str, Any],
    base: str,
    transform: str,
    parameters: dict[str, Any],
    prefix: str | None,
    path_to_derivation: str,
) -> None:
    derive(
        transform_class(transform)(**parameters),
        path_to_derivation,
        **inputs,
        prefix=prefix,
        facts={"from": base, "transform": transform, "parameters": dict(parameters)},
        entry=f"models.yaml: {model}.derive",
    )


if __name__ == "__main__":
    run(snakemake, derive_model, inputs=dict(snakemake.input.items()))
