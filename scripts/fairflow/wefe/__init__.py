"""A compatibility layer for WEFE's notebooks: WEFE's names, defaults and options on this library.

The modules have the paths of WEFE 1.0.1: to port a notebook, write `fairflow.wefe` for `wefe`.
Each name is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# The release whose interface this is.
__version__ = "1.0.1"

_NAMES = {
    "query": "Query",
    "word_embedding_model": "WordEmbeddingModel",
    "metrics": "BaseMetric WEAT RND RNSB MAC ECT RIPA",
    "debias.hard_debias": "HardDebias",
    "debias.multiclass_hard_debias": "MulticlassHardDebias",
    "debias.half_sibling_regression": "HalfSiblingRegression",
    "debias.double_hard_debias": "DoubleHardDebias",
    "debias.repulsion_attraction_neutralization": "RepulsionAttractionNeutralization",
    "datasets": "load_bingliu load_weat fetch_debias_multiclass fetch_debiaswe fetch_eds "
    "fetch_gn_glove",
    "preprocessing": "preprocess_word get_embeddings_from_query get_embeddings_from_set "
    "get_embeddings_from_tuples",
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}
_MODULES = {home.partition(".")[0] for home in _NAMES} | {"utils"}

__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])
