"""Measure what remains of a bias in a model beside the one before, and what it is good for."""

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from fairflow.files.logs import log_to
from fairflow.remains.benchmark_files import read_benchmark
from fairflow.remains.findings import write_findings
from fairflow.remains.measure import model_findings
from fairflow.remains.settings import settings_of
from fairflow.vectors.derived_store import open_store
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_rows import WordRows, word_rows


def measure_remains(
    models: Mapping[str, tuple[Mapping[str, Any], str | None]],
    names: tuple[str, str],
    settings: Mapping[str, Any],
    seed: int,
    benchmarks: Mapping[str, Mapping[str, Any]],
    path_to_findings: str,
) -> None:
    with ExitStack() as stack:

        def rows_of(store: Mapping[str, Any], prefix: str | None) -> WordRows:
            opened = stack.enter_context(open_store(**store))
            return word_rows(WordEmbeddingModel(opened, vocab_prefix=prefix))

        rows = {name: rows_of(*how) for name, how in models.items()}
        before, model = names
        read = {name: read_benchmark(**how) for name, how in benchmarks.items()}
        found = model_findings(model, rows[model], rows[before], settings_of(settings, seed), read)
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
            seed=params.seed,
            benchmarks=params.benchmarks,
            path_to_findings=snakemake.output.findings,
        )
