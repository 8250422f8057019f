"""fairflow: measure, compare and reproduce social bias in word embeddings.

    from fairflow import WEAT, load_query, load_test_model

    WEAT().run_query(load_query("weat_6"), load_test_model(), calculate_p_value=True)

The names of the WEFE documentation are importable from here; each is loaded when first used, so
that a scoring process pays for nothing it does not need.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "Query": "fairflow.queries.query",
    "WordEmbeddingModel": "fairflow.vectors.word_embedding_model",
    "BaseMetric": "fairflow.metrics.base_metric",
    "Outcome": "fairflow.statistics.outcome",
    "WEAT": "fairflow.metrics.weat",
    "RND": "fairflow.metrics.rnd",
    "RNSB": "fairflow.metrics.rnsb",
    "MAC": "fairflow.metrics.mac",
    "ECT": "fairflow.metrics.ect",
    "RIPA": "fairflow.metrics.ripa",
    "score": "fairflow.command.scored_table",
    "plot": "fairflow.command.scored_table",
    "list_queries": "fairflow.command.scored_table",
    "run_queries": "fairflow.studies.batch",
    "load_query": "fairflow.command.asked",
    "load_test_model": "fairflow.vectors.example_vectors",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("fairflow.files.configuration_files").version()
    if name not in _HOMES:
        raise AttributeError(f"module 'fairflow' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
