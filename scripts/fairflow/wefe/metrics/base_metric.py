"""`wefe.metrics.base_metric`: what WEFE's metrics have in common, and those of a user's own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import wraps
from typing import Any

from fairflow.metrics import base_metric
from fairflow.metrics.base_metric import outcome_of_run_query
from fairflow.queries.lookup import Preprocessor
from fairflow.queries.query import Query
from fairflow.statistics.outcome import Outcome
from fairflow.vectors.query_vectors import QueryVectors
from fairflow.wefe.preprocessing import AS_WRITTEN
from fairflow.wefe.run_query import of_the_door
from fairflow.wefe.word_embedding_model import WordEmbeddingModel


class BaseMetric(base_metric.BaseMetric, ABC):
    """A metric as WEFE's manual has it: a class that overrides `run_query`.

    Attributes
    ----------
    metric_template : numbers of target and attribute sets; "n" stands for any number.
    metric_name, metric_short_name : shown in tables.
    larger_is_fairer, signed : for rankings, see `fairflow.metrics.base_metric.BaseMetric`.
    """

    @abstractmethod
    @of_the_door
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
        """Check the arguments of a metric that overrides this method and calls it first.

        Such a metric returns a dictionary with the keys "query_name" and "result".

        Raises
        ------
        TypeError : not a Query, a word embedding model, a number or a truth value.
        ValueError : the query does not fit the metric's template.
        NotImplementedError : the metric does not override this method.
        """
        if getattr(type(self).run_query, "of_the_door", False):
            raise NotImplementedError(f"{type(self).__name__} does not define run_query")
        self._check_input(query, model, lost_vocabulary_threshold, warn_not_found_words)
        return {}

    def evaluate(
        self, vectors: QueryVectors, normalize: bool = False, **parameters: Any
    ) -> Outcome:
        """As in the base class, with the defaults of `run_query`: a workflow gets its numbers."""
        defaults = getattr(self.run_query, "defaults", {})
        own = {name: defaults[name] for name in self.parameters() if name in defaults}
        return super().evaluate(vectors, normalize, **(own | parameters))

    @classmethod
    def has_own_run_query(cls) -> bool:
        """Whether the class overrides `run_query`, unlike the metrics of this package."""
        return not getattr(cls.run_query, "of_the_door", False)

    def _check_input(
        self,
        query: Query,
        model: WordEmbeddingModel,
        lost_vocabulary_threshold: Any = 0.2,
        warn_not_found_words: Any = False,
    ) -> None:
        """What `run_query` checks; WEFE's own example hands further arguments over in one."""
        if isinstance(lost_vocabulary_threshold, Mapping):
            lost_vocabulary_threshold = 0.2
        self._check_types(query, model, lost_vocabulary_threshold, warn_not_found_words)
        self.check_template(query.template)

    def _own_outcome(self, vectors: QueryVectors, parameters: dict[str, Any]) -> Outcome:
        """That of `run_query` on a model with the members that WEFE's models have."""

        @wraps(self.run_query)
        def run_query(query: Query, model: Any, **arguments: Any) -> dict[str, Any]:
            return self.run_query(query, WordEmbeddingModel(model.wv), **arguments)

        return outcome_of_run_query(run_query, vectors, parameters)
