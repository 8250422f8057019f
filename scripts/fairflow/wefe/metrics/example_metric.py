"""`wefe.metrics.example_metric`: a metric as a user writes one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from fairflow.queries.lookup import Preprocessor
from fairflow.queries.query import Query
from fairflow.vectors.directions import cosine
from fairflow.wefe.metrics.base_metric import BaseMetric
from fairflow.wefe.preprocessing import AS_WRITTEN, EmbeddingDict, get_embeddings_from_query
from fairflow.wefe.word_embedding_model import WordEmbeddingModel


class ExampleMetric(BaseMetric):
    """Which of two groups has its mean vector nearer, by cosine, to that of the attribute words?

    The distance of the first group minus that of the second; 0 is fair.
    """

    metric_template = (2, 1)
    metric_name = "Example Metric"
    metric_short_name = "EM"

    def run_query(
        self,
        query: Query,
        model: WordEmbeddingModel,
        lost_vocabulary_threshold: float = 0.2,
        preprocessors: Sequence[Preprocessor] = AS_WRITTEN,
        strategy: str = "first",
        normalize: bool = False,
        warn_not_found_words: bool = False,
        *args: Any,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """The entries query_name, result and em; NaN where a set lost too many words."""
        super().run_query(query, model, lost_vocabulary_threshold)
        embeddings = get_embeddings_from_query(
            model,
            query,
            lost_vocabulary_threshold,
            preprocessors,
            strategy,
            normalize,
            warn_not_found_words,
        )
        result = math.nan
        if embeddings is not None:
            targets, attributes = ([*role.values()] for role in embeddings)
            first, second = (1 - similarity(target, attributes[0]) for target in targets)
            result = first - second
        return {"query_name": query.query_name, "result": result, "em": result}


def similarity(left: EmbeddingDict, right: EmbeddingDict) -> float:
    """Cosine of the mean vectors of two sets."""
    means = (np.mean([*words.values()], axis=0, keepdims=True) for words in (left, right))
    return cosine(*means).item()
