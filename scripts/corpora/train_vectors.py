"""Make the word vectors of a subcorpus."""

from fairflow.corpora.embeddings import Training, write_vectors
from fairflow.corpora.sample import Sample
from fairflow.files.jobs import running

with running(snakemake) as job:
    sample = Sample.open(dict(job.input.items()), **job.params.how["part"])
    write_vectors(*Training(**job.params.how["training"]).vectors(sample), job.output.vectors)
