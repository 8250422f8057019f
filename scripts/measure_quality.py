"""Measure how good the vectors of a model are."""

from collections.abc import Mapping
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.remains.findings import write_findings
from fairflow.remains.measure import quality_findings, read_benchmark
from fairflow.vectors.derivation import open_store
from fairflow.vectors.word_embedding_model import WordEmbeddingModel, word_rows


def measure_quality(
    store: Mapping[str, Any],
    name: str,
    prefix: str | None,
    benchmarks: Mapping[str, Mapping[str, Any]],
    path_to_findings: str,
) -> None:
    read = {name: read_benchmark(**how) for name, how in benchmarks.items()}
    with open_store(**store) as opened:
        rows = word_rows(WordEmbeddingModel(opened, vocab_prefix=prefix))
        write_findings(quality_findings(name, rows, read), path_to_findings)


if __name__ == "__main__":
    inputs = dict(snakemake.input.items())
    with log_to(str(snakemake.log)):
        measure_quality(
            store={key: inputs[key] for key in ("vectors", "index", "card", "derivations")},
            name=snakemake.wildcards.model,
            prefix=snakemake.params.prefix,
            benchmarks=snakemake.params.benchmarks,
            path_to_findings=snakemake.output.findings,
        )
