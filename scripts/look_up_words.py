"""Take the vectors of the words of queries out of a model."""

from fairflow.files.jobs import running
from fairflow.vectors.slice_files import keep_store_slices

with running(snakemake) as job:
    read, names = job.input, ("vectors", "index", "card", "derivations")
    store = {name: read[name] for name in names}
    files = store, read.record, read.order, read.words
    keep_store_slices(job.output.slices, *files, job.params.how, job.params.code)
