"""Read the texts of a corpus."""

from fairflow.corpora.corpus import read_corpus
from fairflow.files.jobs import running

with running(snakemake) as job:
    read_corpus(job.input.source, job.params.how["definition"], dict(job.output.items()))
