"""A compatibility layer for WEFE's notebooks: WEFE's names, defaults and options on this library.

The modules have the paths of WEFE 1.0.1: to port a notebook, write `fairflow.wefe` for `wefe`.
Each name is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# The release whose interface this is.
__version__ = "1.0.1"

_HOMES = {
    "Query": "query",
    "WordEmbeddingModel": "word_embedding_model",
    "BaseMetric": "metrics",
    "WEAT": "metrics",
    "RND": "metrics",
    "RNSB": "metrics",
    "MAC": "metrics",
    "ECT": "metrics",
    "RIPA": "metrics",
    "HardDebias": "debias.hard_debias",
    "MulticlassHardDebias": "debias.multiclass_hard_debias",
    "HalfSiblingRegression": "debias.half_sibling_regression",
    "DoubleHardDebias": "debias.double_hard_debias",
    "RepulsionAttractionNeutralization": "debias.repulsion_attraction_neutralization",
    "load_bingliu": "datasets",
    "load_weat": "datasets",
    "fetch_debias_multiclass": "datasets",
    "fetch_debiaswe": "datasets",
    "fetch_eds": "datasets",
    "fetch_gn_glove": "datasets",
    "preprocess_word": "preprocessing",
    "get_embeddings_from_query": "preprocessing",
    "get_embeddings_from_set": "preprocessing",
    "get_embeddings_from_tuples": "preprocessing",
}
_MODULES = {home.partition(".")[0] for home in _HOMES.values()} | {"utils"}

__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])
