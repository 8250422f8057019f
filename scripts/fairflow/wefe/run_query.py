"""How `run_query` of WEFE's metrics reads its arguments and hands out its result."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypeVar

from fairflow.metrics import base_metric
from fairflow.queries.preprocessing import Preprocessor
from fairflow.queries.query import Query
from fairflow.wefe.former_names import current_names, former_positions
from fairflow.wefe.preprocessing import AS_WRITTEN
from fairflow.wefe.result import Result, as_result
from fairflow.wefe.word_embedding_model import WordEmbeddingModel

logger = logging.getLogger(__name__)

Method = TypeVar("Method", bound=Callable[..., Any])


def of_the_door(method: Method) -> Method:
    """Mark a `run_query` as this package's own, unlike one of a metric of the user's."""
    method.of_the_door = True  # type: ignore[attr-defined]
    return method


def reads_former_calls(method: Method) -> Method:
    """Decorator of a `run_query` that also takes the names and the order of WEFE 0.2.2."""
    kinds = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    parameters = signature(method).parameters.values()
    present = [each.name for each in parameters if each.kind not in kinds][3:]

    @wraps(method)
    def wrapper(self: Any, *positional: Any, **keywords: Any) -> Any:
        short = getattr(self, "metric_short_name", "")
        former = former_positions(short, positional[2:], present)
        if former is not None:
            positional, keywords = positional[:2], dict(**former, **keywords)
        for name in ("run_query", short):
            keywords = current_names(name, keywords)
        return method(self, *positional, **keywords)

    return wrapper  # type: ignore[return-value]


def measures(**fixed: Any) -> Callable[[Method], Method]:
    """Decorator of a `run_query` that is but a signature: what is measured with its arguments.

    Further arguments are those of `fairflow.metrics.base_metric.BaseMetric.run_query` and of the
    metric's `compute`.

    Parameters
    ----------
    fixed : arguments that WEFE does not have, with the values that give WEFE's numbers.
    """

    def decorate(method: Method) -> Method:
        documented = signature(method)
        defaults = {each.name: each.default for each in documented.parameters.values()}

        @of_the_door
        @reads_former_calls
        @wraps(method)
        def wrapper(self: Any, *positional: Any, **keywords: Any) -> Result:
            bound = documented.bind(self, *positional, **keywords)
            bound.apply_defaults()
            _, *arguments = bound.arguments.items()
            named = dict(arguments)
            if surplus := named.pop("args"):
                raise TypeError(
                    f"run_query of {self.metric_short_name} got {len(surplus)} positional "
                    f"arguments too many: {surplus}"
                )
            further = named.pop("kwargs")
            entries = base_metric.BaseMetric.run_query(self, **(fixed | named | further))
            if math.isnan(entries["result"]):
                # The reason is in the result, but is not printed with it.
                logger.warning("%s is undefined: %s", entries["query_name"], entries["reason"])
            return as_result(entries)

        wrapper.defaults = defaults | fixed  # type: ignore[attr-defined]
        return wrapper

    return decorate


@measures()
def run_query(
    self: Any,
    query: Query,
    model: WordEmbeddingModel,
    lost_vocabulary_threshold: float = 0.2,
    preprocessors: Sequence[Preprocessor] = AS_WRITTEN,
    strategy: str = "first",
    normalize: bool = False,
    warn_not_found_words: bool = False,
    *args: Any,
    **kwargs: Any,
) -> Result:
    """That of a metric without parameters of its own: the entries of fairflow's, floats numpy's."""
