"""Derive a model from another one: fit how the vectors of words or texts change."""

from fairflow.files.jobs import running
from fairflow.language_models.slices.derived_texts import derive_texts
from fairflow.transforms import transform_class
from fairflow.vectors.derivation import derive

with running(snakemake) as job:
    how, read, model = job.params.how, dict(job.input.items()), job.wildcards.model
    change, target = transform_class(how["transform"])(**how["parameters"]), job.output.derivation
    facts = {"from": how["base"], "transform": how["transform"], "parameters": how["recorded"]}
    if "embeddings" in read:
        files = read["embeddings"], read["derivations"]
        derive_texts(change, target, *files, facts, f"language_models.yaml: {model}.derive")
    else:
        about = {"prefix": how["prefix"], "facts": facts, "entry": f"models.yaml: {model}.derive"}
        derive(change, target, **read, **about)
