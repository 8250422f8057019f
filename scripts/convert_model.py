"""Convert a model to word2vec format and index it."""

from fairflow.files.jobs import running
from fairflow.vectors.convert import convert

with running(snakemake) as job:
    how = dict(job.params.how["entry"])
    convert(job.input.source, how.pop("format"), **dict(job.output.items()), **how)
