"""Record a model: its checksums, lengths, quality, and how frequent its words are."""

from fairflow.files.atomic import read_json, write_json
from fairflow.files.jobs import running
from fairflow.provenance.model_record import converted, derived
from fairflow.studies.benchmarks import read_benchmark
from fairflow.studies.quality import quality_findings, write_findings
from fairflow.vectors.derivation import open_store
from fairflow.vectors.directions import vector_norms, write_vector_norms
from fairflow.vectors.store import VectorStore
from fairflow.vectors.word_frequency import order_of_words, write_word_frequency
from fairflow.vectors.word_rows import word_rows

with running(snakemake) as job:
    model, how, made = job.wildcards.model, job.params.how, job.output
    files = [job.input[name] for name in ("vectors", "index", "card")]
    with VectorStore(*files) as vectors:
        write_word_frequency(order_of_words(vectors.words(), how["frequency"]), made.order)
    with open_store(*files, job.input.derivations) as vectors:
        write_vector_norms(vector_norms(vectors), model, made.norms)
        read = {name: read_benchmark(**told) for name, told in how["benchmarks"].items()}
        rows = word_rows(vectors, how["prefix"])
        write_findings(model, quality_findings(rows, read), made.quality)
    if job.input.origin:
        record = derived(job.input.derivations[-1], read_json(job.input.origin))
    else:
        record = converted(*files, read_json(job.input.card))
    write_json(record, made.record)
