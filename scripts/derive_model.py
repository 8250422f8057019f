"""Derive a table of word vectors from another one: fit how the vectors of words change."""

from fairflow.files.jobs import running
from fairflow.transforms import transform_class
from fairflow.vectors.derivation import derive

with running(snakemake) as job:
    how, entry = dict(job.params.how), f"models.yaml: {job.wildcards.model}.derive"
    change = transform_class(how.pop("transform"))(**how.pop("parameters"))
    derive(change, job.output.derivation, **dict(job.input.items()), **how, entry=entry)
