"""Measure how good the vectors of a model are."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.studies.benchmarks import read_benchmark
from fairflow.studies.quality import quality_findings, write_findings
from fairflow.vectors.derivation import open_store
from fairflow.vectors.word_embedding_model import WordEmbeddingModel, word_rows


def measure_quality(
    store: dict[str, Any],
    model: str,
    prefix: str | None,
    benchmarks: dict[str, dict[str, Any]],
    path_to_findings: str,
) -> None:
    read = {name: read_benchmark(**how) for name, how in benchmarks.items()}
    with open_store(**store) as opened:
        rows = word_rows(WordEmbeddingModel(opened, vocab_prefix=prefix))
        write_findings(model, quality_findings(rows, read), path_to_findings)


if __name__ == "__main__":
    names = ("vectors", "index", "card", "derivations")
    run(snakemake, measure_quality, store={name: snakemake.input.get(name) for name in names})
