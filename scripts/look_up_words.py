"""Take the vectors of the words of queries out of a model."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.vectors.slice_files import keep_store_slices


def look_up_words(job: Any) -> None:
    read, names = job.input, ("vectors", "index", "card", "derivations")
    store = {name: read[name] for name in names}
    files = store, read.record, read.order, read.words
    keep_store_slices(job.output.slices, *files, job.params.how, job.params.code)


if __name__ == "__main__":
    run(snakemake, look_up_words)
