"""How `run_query` of WEFE's metrics reads its arguments, and the result that it hands out."""

from __future__ import annotations

import logging
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import Signature, signature
from typing import Any, TypeVar

import numpy as np

from fairflow.metrics import base_metric
from fairflow.queries.lookup import Preprocessor
from fairflow.queries.query import Query
from fairflow.wefe.preprocessing import AS_WRITTEN
from fairflow.wefe.word_embedding_model import WordEmbeddingModel

# Entries that WEFE's results do not have. They come last, and only who asks for one sees it.
FURTHER = frozenset(
    [
        "status",
        "reason",
        "audit",
        "permutation_test",
        "n_pairs",
        "mac_difference",
        "rnsb_of_mean",
        "rnsb_sd",
        "rnsb_between_sets",
    ]
)
# One object, so that a dictionary with it equals another: NaN equals itself alone, as an object.
NOT_A_NUMBER = np.float64("nan")


class Entries(dict[str, Any]):
    """A dictionary that prints numpy's numbers as plain ones."""

    def __repr__(self) -> str:
        return repr(_plain(self._shown()))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """As `repr`, broken into lines where IPython has too little room."""
        printer.text("{...}") if cycle else printer.pretty(_plain(self._shown()))

    def _shown(self) -> dict[str, Any]:
        return dict(self)


class Result(Entries):
    """WEFE's entries in WEFE's order, then `FURTHER` ones, which are there but are not printed."""

    def _shown(self) -> dict[str, Any]:
        return {name: value for name, value in self.items() if name not in FURTHER}


class WordValues(Entries):
    """Word -> number. A DataFrame of it has a row per word: the word and its number.

    The manual's chapter on RNSB makes such a table: `DataFrame(values, columns=[..., ...])`. Of
    any other dictionary of numbers that is an empty table, and without `columns` an error.
    """

    def keys(self) -> Any:
        """The words; the two columns where pandas makes a table."""
        return self._columns() or super().keys()

    def values(self) -> Any:
        """The numbers; the contents of the columns where pandas makes a table."""
        if self._columns():
            return [self[0], self[1]]
        return super().values()

    def __missing__(self, name: Any) -> Any:
        """Columns 0 and 1 of the table; no word is a number."""
        if name not in (0, 1):
            raise KeyError(name)
        return list(super().values() if name else super().keys())

    def _columns(self) -> list[Any] | None:
        """The two columns of the table that pandas is making of this dictionary, if it is.

        It asks every dictionary in the same way and has no hook: the call can only be recognised.
        """
        caller = sys._getframe(2)
        for _ in range(3):  # pandas 2 asks through a Series
            if caller is None:
                return None
            if caller.f_code.co_name == "dict_to_mgr" and caller.f_locals.get("data") is self:
                return _two_columns(caller.f_locals)
            caller = caller.f_back
        return None


def _two_columns(table: Mapping[str, Any]) -> list[Any] | None:
    index, columns = table.get("index"), table.get("columns")
    if index is not None or (columns is not None and len(columns) != 2):
        return None
    return [0, 1] if columns is None else list(columns)


def as_result(entries: Mapping[str, Any]) -> Result:
    """The entries of a result as WEFE hands them out, floats as numpy's.

    Parameters
    ----------
    entries : a result of a metric of `fairflow`, in WEFE's order but for the `FURTHER` ones.
    """
    ordered = sorted(entries, key=lambda name: name in FURTHER)
    return Result({name: _numpy(entries[name]) for name in ordered})


def _numpy(value: Any) -> Any:
    if isinstance(value, float | np.floating):
        return np.float64(value) if value == value else NOT_A_NUMBER
    if isinstance(value, Mapping):
        values = {key: _numpy(item) for key, item in value.items()}
        numbers = bool(values) and all(isinstance(item, np.floating) for item in values.values())
        return WordValues(values) if numbers else Entries(values)
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(_plain, value))
    return value


logger = logging.getLogger(__name__)

Method = TypeVar("Method", bound=Callable[..., Any])


def of_the_door(method: Method) -> Method:
    """Mark a `run_query` as this package's own, unlike one of a metric of the user's."""
    method.of_the_door = True  # type: ignore[attr-defined]
    return method


def measures(**fixed: Any) -> Callable[[Method], Method]:
    """Decorator of a `run_query` that is but a signature: what is measured with its arguments.

    Its parameters stand between the model and those of every metric. Further arguments are those of
    `fairflow.metrics.base_metric.BaseMetric.run_query` and of the metric's `compute`.

    Parameters
    ----------
    fixed : arguments that WEFE does not have, with the values that give WEFE's numbers.
    """

    def decorate(method: Method) -> Method:
        shared = signature(_of_every_metric).parameters
        own = [each for name, each in signature(method).parameters.items() if name not in shared]
        first, others = [*shared.values()][:3], [*shared.values()][3:]
        documented = Signature([*first, *own, *others])
        defaults = {each.name: each.default for each in documented.parameters.values()}

        @of_the_door
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
        wrapper.__signature__ = documented  # type: ignore[attr-defined]
        return wrapper

    return decorate


def _of_every_metric(
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


run_query = measures()(_of_every_metric)
