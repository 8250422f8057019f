"""Derive a language model from another one: fit how the vectors of texts change."""

from fairflow.files.jobs import running
from fairflow.language_models.slices.derived_texts import derive_texts
from fairflow.transforms import transform_class

with running(snakemake) as job:
    how, entry = job.params.how, f"language_models.yaml: {job.wildcards.model}.derive"
    change = transform_class(how["transform"])(**how["parameters"])
    files = job.input.embeddings, job.input.derivations
    derive_texts(change, job.output.derivation, *files, how["facts"], entry)
