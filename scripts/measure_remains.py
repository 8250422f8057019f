"""Measure what remains of a bias in a model beside the one before, and what it is good for."""

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.remains.findings import Settings, write_findings
from fairflow.remains.measure import model_findings, read_benchmark
from fairflow.vectors.derivation import open_store
from fairflow.vectors.word_embedding_model import WordEmbeddingModel, WordRows, word_rows


def measure_remains(
    models: Mapping[str, tuple[Mapping[str, Any], str | None]],
    names: tuple[str, str],
    settings: Mapping[str, Any],
    benchmarks: Mapping[str, Mapping[str, Any]],
    curated: str | None,
    path_to_findings: str,
) -> None:
    with ExitStack() as stack:

        def rows_of(store: Mapping[str, Any], prefix: str | None) -> WordRows:
            opened = stack.enter_context(open_store(**store))
            return word_rows(WordEmbeddingModel(opened, vocab_prefix=prefix))

        rows = {name: rows_of(*how) for name, how in models.items()}
        before, model = names
        read = {name: read_benchmark(**how) for name, how in benchmarks.items()}
        found = model_findings(
            model, rows[model], rows[before], Settings(**settings), read, curated
        )
    write_findings(found, path_to_findings)


if __name__ == "__main__":
    inputs, params = dict(snakemake.input.items()), snakemake.params
    keys = ("vectors", "index", "card", "derivations")
    stores = [{key: inputs[part + key] for key in keys} for part in ("before_", "")]
    with log_to(str(snakemake.log)):
        measure_remains(
            models=dict(zip(params.names, zip(stores, params.prefixes, strict=True), strict=False)),
            names=tuple(params.names),
            settings=params.settings,
            benchmarks=params.benchmarks,
            curated=params.curated,
            path_to_findings=snakemake.output.findings,
        )
