"""Derive a language model from another one: fit how the vectors of texts change."""

from fairflow.files.jobs import log_to
from fairflow.language_models.slices.derived_texts import derive_texts
from fairflow.transforms import transform_class

if __name__ == "__main__":
    how = snakemake.params.how
    with log_to(str(snakemake.log)):
        derive_texts(
            transform_class(how["transform"])(**how["parameters"]),
            snakemake.output.derivation,
            snakemake.input.embeddings,
            snakemake.input.derivations,
            facts={
                "from": how["base"],
                "transform": how["transform"],
                "parameters": dict(how["recorded"]),
            },
            entry=f"language_models.yaml: {snakemake.wildcards.model}.derive",
        )
