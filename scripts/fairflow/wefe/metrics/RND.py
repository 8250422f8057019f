"""`wefe.metrics.RND`: the Relative Norm Distance with WEFE's parameters and defaults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairflow.metrics import rnd
from fairflow.queries.lookup import Preprocessor
from fairflow.queries.query import Query
from fairflow.wefe.metrics.base_metric import BaseMetric
from fairflow.wefe.preprocessing import AS_WRITTEN
from fairflow.wefe.run_query import Result, measures
from fairflow.wefe.word_embedding_model import WordEmbeddingModel


class RND(BaseMetric, rnd.RND):
    __doc__ = rnd.RND.__doc__

    @measures()
    def run_query(
        self,
        query: Query,
        model: WordEmbeddingModel,
        distance: str = "norm",
        lost_vocabulary_threshold: float = 0.2,
        preprocessors: Sequence[Preprocessor] = AS_WRITTEN,
        strategy: str = "first",
        normalize: bool = False,
        warn_not_found_words: bool = False,
        *args: Any,
        **kwargs: Any,
    ) -> Result:
        """The entries are those of `fairflow.metrics.rnd.RND`, floats numpy's.

        Parameters
        ----------
        distance : "norm" or "cos", which have opposite signs (D5 of WEFE's defects).
        """
