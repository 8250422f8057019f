"""Record a model: its checksums, lengths, quality, and how frequent its words are."""

from typing import Any

from fairflow.files.atomic import read_json, write_json
from fairflow.files.jobs import run
from fairflow.provenance.records import converted, derived
from fairflow.studies.benchmarks import read_benchmark
from fairflow.studies.quality import quality_findings, write_findings
from fairflow.vectors.derivation import open_store
from fairflow.vectors.directions import vector_norms, write_vector_norms
from fairflow.vectors.store import VectorStore
from fairflow.vectors.word_embedding_model import WordEmbeddingModel, word_rows
from fairflow.vectors.word_frequency import order_of_words, write_word_frequency


def record_model(
    model: str,
    store: dict[str, Any],
    paths_to_origin: list[str],
    prefix: str | None,
    frequency: dict[str, Any],
    benchmarks: dict[str, dict[str, Any]],
    path_to_record: str,
    path_to_order: str,
    path_to_norms: str,
    path_to_quality: str,
) -> None:
    files = [store[name] for name in ("vectors", "index", "card")]
    with VectorStore(*files) as vectors:
        write_word_frequency(order_of_words(vectors.words(), frequency), path_to_order)
    with open_store(**store) as vectors:
        write_vector_norms(vector_norms(vectors), model, path_to_norms)
        read = {name: read_benchmark(**how) for name, how in benchmarks.items()}
        rows = word_rows(WordEmbeddingModel(vectors, vocab_prefix=prefix))
        write_findings(model, quality_findings(rows, read), path_to_quality)
    if paths_to_origin:
        made = derived(store["derivations"][-1], read_json(*paths_to_origin))
    else:
        made = converted(*files, read_json(store["card"]))
    write_json(made, path_to_record)


if __name__ == "__main__":
    names = ("vectors", "index", "card", "derivations")
    run(snakemake, record_model, store={name: snakemake.input.get(name) for name in names})
