"""Write a derived model as a whole, for other programs."""

from fairflow.files.jobs import running
from fairflow.vectors.derivation import open_store
from fairflow.vectors.store import write_word2vec

with running(snakemake) as job, open_store(**dict(job.input.items())) as vectors:
    write_word2vec(vectors, job.output.vectors)
