"""Measure the residual bias of a model and its quality, compared with the model before."""

from contextlib import ExitStack
from typing import Any

from fairflow.files.jobs import run
from fairflow.studies.benchmarks import read_benchmark
from fairflow.studies.residual_bias import Settings, model_findings, write_findings
from fairflow.vectors.derivation import open_store
from fairflow.vectors.word_embedding_model import WordEmbeddingModel, WordRows, word_rows


def measure_residual_bias(
    stores: list[dict[str, Any]],
    prefixes: list[str | None],
    names: list[str],
    settings: dict[str, Any],
    benchmarks: dict[str, dict[str, Any]],
    curated: str | None,
    path_to_findings: str,
) -> None:
    rows: dict[str, WordRows] = {}
    with ExitStack() as opened:
        for name, store, prefix in zip(names, stores, prefixes, strict=True):
            if name not in rows:
                vectors = opened.enter_context(open_store(**store))
                rows[name] = word_rows(WordEmbeddingModel(vectors, vocab_prefix=prefix))
        before, model = names
        read = {name: read_benchmark(**how) for name, how in benchmarks.items()}
        found = model_findings(
            model, rows[model], rows[before], Settings(**settings), read, curated
        )
    write_findings(found, path_to_findings)


if __name__ == "__main__":
    keys, files = ("vectors", "index", "card", "derivations"), snakemake.input
    stores = [{key: files.get(part + key) for key in keys} for part in ("before_", "")]
    run(snakemake, measure_residual_bias, stores=stores)
