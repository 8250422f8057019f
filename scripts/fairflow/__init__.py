"""fairflow: measure, compare and reproduce social bias in word embeddings.

    import fairflow

    fairflow.score("word2vec")

scores a file, a model of gensim or a dictionary. Each name is loaded when it is first used, so that
a scoring process pays for nothing it does not need.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "score": "fairflow.command.scored_table",
    "plot": "fairflow.command.scored_table",
    "list_queries": "fairflow.command.scored_table",
    "load_query": "fairflow.command.asked",
    "load_test_model": "fairflow.vectors.example_vectors",
    "run_queries": "fairflow.studies.batch",
    "Query": "fairflow.queries.query",
    "WordEmbeddingModel": "fairflow.vectors.word_embedding_model",
    "WEAT": "fairflow.metrics.weat",
    "RND": "fairflow.metrics.rnd",
    "RNSB": "fairflow.metrics.rnsb",
    "MAC": "fairflow.metrics.mac",
    "ECT": "fairflow.metrics.ect",
    "RIPA": "fairflow.metrics.ripa",
    "BaseMetric": "fairflow.metrics.base_metric",
    "Outcome": "fairflow.statistics.outcome",
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
