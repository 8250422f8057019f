"""The word sets that WEFE hands out, from the files of this project."""

from fairflow.wefe.datasets.datasets import (
    fetch_debias_multiclass,
    fetch_debiaswe,
    fetch_eds,
    fetch_gn_glove,
    load_bingliu,
    load_weat,
)

__all__ = [
    "fetch_debias_multiclass",
    "fetch_debiaswe",
    "fetch_eds",
    "fetch_gn_glove",
    "load_bingliu",
    "load_weat",
]
