"""The data sets that FairLangProc reads, from files that the user points to."""

from fairflow.fairlangproc.datasets.fairness_datasets import BiasDataLoader

__all__ = ["BiasDataLoader"]
