"""`wefe.metrics.base_metric`: what WEFE's metrics have in common, and those of a user's own."""

from __future__ import annotations

import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import Signature, signature
from typing import Any, TypeVar

from fairflow.metrics import base_metric
from fairflow.queries.lookup import Preprocessor
from fairflow.queries.query import Query
from fairflow.statistics.outcome import Outcome
from fairflow.vectors.query_vectors import QueryVectors
from fairflow.vectors.word_rows import FoundVectors
from fairflow.wefe.former_names import takes_former_names
from fairflow.wefe.preprocessing import AS_WRITTEN
from fairflow.wefe.result import Result, as_result
from fairflow.wefe.word_embedding_model import WordEmbeddingModel, as_model

logger = logging.getLogger(__name__)

Method = TypeVar("Method", bound=Callable[..., Any])


def of_the_door(method: Method) -> Method:
    """Mark a `run_query` as this package's own, unlike one of a metric of the user's."""
    method.of_the_door = True  # type: ignore[attr-defined]
    return method


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
    @takes_former_names()
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
        if not self.has_own_run_query():
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

    @staticmethod
    def _model_of(store: FoundVectors) -> WordEmbeddingModel:
        """A model with the members that WEFE's models have."""
        return WordEmbeddingModel(store)


def measures(**fixed: Any) -> Callable[[Method], Method]:
    """Decorator of a `run_query` that is but a signature: what is measured with its arguments.

    Its parameters stand between the model and those of every metric. Further arguments are those of
    `fairflow.metrics.base_metric.BaseMetric.run_query` and of the metric's `compute`.

    Parameters
    ----------
    fixed : arguments that WEFE does not have, with the values that give WEFE's numbers.
    """

    def decorate(method: Method) -> Method:
        # The last two gather what else is given.
        every = signature(BaseMetric.run_query).parameters.values()
        first, query, model, *shared, args, kwargs = every
        own = [*signature(method).parameters.values()][1:]
        documented = Signature([first, query, model, *own, *shared, args, kwargs])
        taken = Signature([first, query, model, *own, *shared, kwargs])
        defaults = {each.name: each.default for each in (*own, *shared)} | fixed

        @of_the_door
        @takes_former_names()
        @wraps(method)
        def wrapper(self: Any, *positional: Any, **keywords: Any) -> Result:
            given = taken.bind(self, *positional, **keywords).arguments
            further = given.pop("kwargs", {})
            arguments = defaults | given | further
            arguments["model"] = as_model(arguments["model"])
            entries = base_metric.BaseMetric.run_query(**arguments)
            if math.isnan(entries["result"]):
                # The reason is in the result, but is not printed with it.
                logger.warning("%s is undefined: %s", entries["query_name"], entries["reason"])
            return as_result(entries)

        wrapper.defaults = defaults  # type: ignore[attr-defined]
        wrapper.__signature__ = documented  # type: ignore[attr-defined]
        return wrapper

    return decorate


@measures()
def run_query(self: Any) -> Result:
    """The result of a metric without own parameters: fairflow's entries, with numpy floats."""
