"""`run_queries`: one metric on many queries and models, as one table, and what it accepts."""

from __future__ import annotations

import logging
import math
import warnings
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from fairflow.errors import DegenerateError, FairflowError, nearest
from fairflow.metrics.base_metric import BaseMetric, check_flags, check_threshold
from fairflow.queries.query import Query
from fairflow.scores.word_cell import watched
from fairflow.studies.aggregation import AGGREGATIONS
from fairflow.vectors.word_embedding_model import WordEmbeddingModel, as_model

Named = TypeVar("Named")

LABELS = {
    "sum": "sum",
    "avg": "average",
    "abs_sum": "sum of abs values",
    "abs_avg": "average of abs values",
}


def aggregate_column(
    table: pd.DataFrame,
    function: str | Callable[[pd.DataFrame], Any],
    signed: bool,
    subject: str,
) -> pd.Series:
    """One number per row, under the name that WEFE gives the column.

    Undefined results are left out; nothing defined gives NaN, also for a sum.

    Parameters
    ----------
    function : a key of `LABELS`, or a callable that gets the table and returns a Series over its
        index, or as many numbers as the table has rows.
    signed : whether absolute values have a meaning; without it "abs_avg" is "avg" and "abs_sum"
        is "sum".
    subject : beginning of the name, "WEAT: Gender queries".

    Raises
    ------
    ValueError : what the callable returns does not fit the table.
    """
    if callable(function):
        values = _aligned(function(table.copy()), table.index)
        return values.rename(f"{subject} custom aggregation score")
    rule = function if signed else function.removeprefix("abs_")
    values = table.apply(AGGREGATIONS[rule], axis="columns")
    return values.rename(f"{subject} {LABELS[rule]} score")


def _aligned(values: Any, models: pd.Index) -> pd.Series:
    """What a callable returned, as one number for each model."""
    try:
        if isinstance(values, pd.Series) and len(values) == len(models):
            return values.loc[models]
        return pd.Series(list(values), index=models, dtype=float)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"aggregation_function must return one number for each of the models {list(models)}, "
            f"got {values!r}"
        ) from error


def checked_metric(metric: Any) -> BaseMetric:
    """The metric itself, or an instance of the class given.

    Raises
    ------
    TypeError : neither a metric nor a class of metrics.
    """
    instance = metric() if isinstance(metric, type) else metric
    if not isinstance(instance, BaseMetric):
        raise TypeError(f"metric must be a subclass of BaseMetric, or one made, got {metric!r}")
    return instance


def check_queries_and_models(queries: Any, models: Any) -> None:
    """Refuse anything but filled lists (or arrays) of queries and of models.

    Raises
    ------
    TypeError : not a list, or an element of another type.
    ValueError : an empty list.
    """
    for argument, values, kind in (
        ("queries", queries, Query),
        ("models", models, WordEmbeddingModel),
    ):
        if not isinstance(values, (list, np.ndarray)):
            raise TypeError(f"{argument} must be a list or array, got {type(values)}")
        if len(values) == 0:
            raise ValueError(f"{argument} is empty")
        for position, value in enumerate(values):
            if not isinstance(value, kind):
                raise TypeError(
                    f"{argument}[{position}] must be a {kind.__name__}, got {type(value)}"
                )


def check_settings(queries_set_name: Any, metric_params: Any, aggregation_function: Any) -> None:
    """Refuse settings of the wrong type and unknown aggregations.

    Raises
    ------
    TypeError : the wrong type, or an empty name.
    ValueError : the aggregation is neither known nor callable.
    """
    if not isinstance(queries_set_name, str) or not queries_set_name:
        raise TypeError(f"queries_set_name must be a non-empty string, got {queries_set_name!r}")
    if not isinstance(metric_params, dict):
        raise TypeError(f"metric_params must be a dict, got {metric_params!r}")
    known = isinstance(aggregation_function, str) and aggregation_function in AGGREGATIONS
    if not known and not callable(aggregation_function):
        hint = nearest(aggregation_function, AGGREGATIONS)
        raise ValueError(f"unknown aggregation_function {aggregation_function!r}. {hint}")


class QueriesError(FairflowError):
    """Some queries could not be run.

    Attributes
    ----------
    results : the table of all queries and models without aggregation; NaN where one failed.
    failures : (query, model, error) of each.
    """

    def __init__(
        self, results: pd.DataFrame, failures: Sequence[tuple[str, str, Exception]]
    ) -> None:
        self.results = results
        self.failures = list(failures)
        places: dict[str, list[str]] = {}
        for query, model, error in self.failures:
            text = f"{type(error).__name__}: {error}"
            places.setdefault(text, []).append(f"{query!r} on {model!r}")
        lines = (f"{text}\n      {', '.join(where)}" for text, where in places.items())
        super().__init__(
            f"{len(self.failures)} of {results.size} results failed; the others are in the "
            "attribute `results` of this error:\n  - " + "\n  - ".join(lines)
        )


def by_name(
    kind: str, values: Iterable[tuple[str, Hashable, Named]], advice: str
) -> dict[str, Named]:
    """Name -> query or model; one that is given twice counts once.

    Parameters
    ----------
    values : the name of each, what it shares with equal ones alone, and itself.

    Raises
    ------
    ValueError : two different ones of one name; their results would share a column or row.
    """
    named: dict[str, tuple[Hashable, Named]] = {}
    clashing = {
        name
        for name, identity, value in values
        if named.setdefault(name, (identity, value))[0] != identity
    }
    if clashing:
        raise ValueError(f"different {kind} share the names {sorted(clashing)}; {advice}")
    return {name: value for name, (_, value) in named.items()}


def subqueries_by_name(
    queries: Sequence[Query], template: tuple[int | str, int | str]
) -> dict[str, Query]:
    """Name -> sub-query of the template; sub-queries of the same words count once.

    Different sub-queries of one name become "name", "name (2)", ... in order of appearance.

    Parameters
    ----------
    template : "n" keeps the sets of a query as they are.

    Raises
    ------
    ValueError : no query can be split.
    """
    named: dict[str, Query] = {}
    seen: set[str] = set()
    too_small = []
    for query in queries:
        parts = _split(query, template)
        if not parts:
            too_small.append(query.query_name)
        for part in parts:
            if (digest := part.digest) not in seen:
                seen.add(digest)
                named[_free_label(part.query_name, named)] = part
    sentence = f"queries with too few sets for the template {template}: {too_small}"
    if too_small and not named:
        raise ValueError(sentence)
    if too_small:
        warnings.warn(f"left out {sentence}", UserWarning, stacklevel=3)
    return named


def generate_subqueries_from_queries_list(
    metric: type[BaseMetric] | BaseMetric, queries: Sequence[Query]
) -> list[Query]:
    """The sub-queries of the metric's template that `run_queries` makes of the queries.

    Raises
    ------
    TypeError : not a metric. ValueError : no query can be split.
    """
    return list(subqueries_by_name(queries, checked_metric(metric).metric_template).values())


def _split(query: Query, template: tuple[int | str, int | str]) -> list[Query]:
    targets, attributes = (
        have if isinstance(need, str) else need
        for have, need in zip(query.template, template, strict=True)
    )
    if targets > query.template[0] or attributes > query.template[1]:
        return []
    return query.get_subqueries((targets, attributes))


def _free_label(name: str, taken: Collection[str]) -> str:
    label, number = name, 2
    while label in taken:
        label, number = f"{name} ({number})", number + 1
    return label


class _Remembering(WordEmbeddingModel):
    """Looks each word up only once; for `remembering`."""

    _held: dict[object, bool]
    _rows: dict[str, np.ndarray]

    def __contains__(self, word: object) -> bool:
        held = self._held.get(word)
        if held is None:
            held = self._held[word] = super().__contains__(word)
        return held

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """As that of `WordEmbeddingModel`."""
        if new := [word for word in words if word not in self._rows]:
            self._rows.update(zip(new, super().vectors(new), strict=True))
        return np.array([self._rows[word] for word in words]) if words else super().vectors(words)


def remembering(model: WordEmbeddingModel) -> WordEmbeddingModel:
    """The same words, name and prefix as `model`, each word looked up only once.

    Made for one batch: a later change of the vectors would go unnoticed. The model itself, where
    its class is the user's and may look words up in its own way.
    """
    own, plain = type(model), WordEmbeddingModel
    if own.vectors is not plain.vectors or own.__contains__ is not plain.__contains__:
        return model
    quick: WordEmbeddingModel = object.__new__(type(own.__name__, (_Remembering, own), {}))
    vars(quick).update(vars(model), _held={}, _rows={})
    return quick


logger = logging.getLogger(__name__)

_NAME_SETS = "name their sets: Query(..., target_sets_names=[...], attribute_sets_names=[...])"
_NAME_MODEL = "give each its own: WordEmbeddingModel(wv, name=...)"
_NO_PARAMETERS: dict[str, Any] = {}


def run_queries(
    metric: type[BaseMetric] | BaseMetric,
    queries: Sequence[Query],
    models: Sequence[WordEmbeddingModel],
    queries_set_name: str = "Unnamed queries set",
    lost_vocabulary_threshold: float = 0.2,
    metric_params: Mapping[str, Any] = _NO_PARAMETERS,
    generate_subqueries: bool = False,
    aggregate_results: bool = False,
    aggregation_function: str | Callable[[pd.DataFrame], Any] = "abs_avg",
    return_only_aggregation: bool = False,
    warn_not_found_words: bool = False,
) -> pd.DataFrame:
    """Run every query on every model, and tabulate the results.

    Parameters
    ----------
    metric : a metric or its class. queries, models : lists or arrays.
    queries_set_name : names the aggregate.
    metric_params : further arguments of the metric's `run_query`, preprocessors among them. A
        `lost_vocabulary_threshold` or `warn_not_found_words` in it wins over the argument here.
    generate_subqueries : replace each query by its sub-queries of the metric's template.
    aggregate_results : append a column that sums up each row.
    aggregation_function : "avg", "abs_avg", "sum", "abs_sum", or a callable that gets the table
        and returns a Series over its index or as many numbers as there are models.
    return_only_aggregation : keep no column but the aggregate.
    warn_not_found_words : log the lost words of each set.

    Returns
    -------
    Models as rows (`model_name`), queries as columns (`query_name`); NaN where a set lost too many
    words or, which is logged, where the metric's formula has no value. `attrs` holds `metric`,
    `larger_is_fairer`, `signed`, `columns` and, with an aggregate, `undefined`: model -> queries
    that its aggregate does not have; `create_ranking` reads them.

    Raises
    ------
    TypeError : an argument of the wrong type.
    ValueError : no query, no model, an unknown aggregation, or equal names (see notes).
    QueriesError : a query failed. Everything else is run first and kept in its `results`.

    Notes
    -----
    Decided otherwise than in WEFE, with the numbers of its defects:

    - Two different queries, or models, of one name are refused, not averaged (D8).
    - Sub-queries count as equal by their words, not by their names; different ones of the same
      name become "name", "name (2)", ... (D9).
    - A metric that takes any number of sets keeps them when sub-queries are generated (D10). A
      query with fewer sets than the template is left out with a UserWarning.
    - The sum over no defined query is NaN, not 0 (D11).
    - Absolute values are not taken of a metric whose sign is no direction (MAC, ECT, RNSB). Where
      that changes the numbers (of ECT), "abs_avg" is "avg", and the column says "average" (D12).
    - One failure does not discard the finished results (D38).
    - What a callable returns is aligned on the models, whatever its name or type (D39).
    - The aggregate of WEAT's effect size begins with "WEAT ES" (D40).

    Examples
    --------
    >>> from fairflow import WEAT, load_query, load_test_model, run_queries
    >>> queries = [load_query("weat_6"), load_query("weat_7")]
    >>> effect_size = {"return_effect_size": True}
    >>> table = run_queries(WEAT, queries, [load_test_model()], metric_params=effect_size)
    >>> table.round(2).values.tolist()
    [[1.89, 0.97]]

    See also
    --------
    fairflow.score : with tests and intervals, words lost and a figure.
    """
    instance = checked_metric(metric)
    models = [as_model(model) for model in models] if isinstance(models, list) else models
    check_queries_and_models(queries, models)
    check_settings(queries_set_name, metric_params, aggregation_function)
    check_flags(
        generate_subqueries=generate_subqueries,
        aggregate_results=aggregate_results,
        return_only_aggregation=return_only_aggregation,
        warn_not_found_words=warn_not_found_words,
    )
    parameters = {
        "lost_vocabulary_threshold": lost_vocabulary_threshold,
        "warn_not_found_words": warn_not_found_words,
        **metric_params,
    }
    check_threshold(parameters["lost_vocabulary_threshold"])
    if generate_subqueries:
        asked = subqueries_by_name(queries, instance.metric_template)
    else:
        asked = by_name("queries", ((q.query_name, q.digest, q) for q in queries), _NAME_SETS)
    known = by_name("models", ((model.name, id(model), model) for model in models), _NAME_MODEL)
    table = _results(instance, asked, known.values(), parameters)
    suffix = " ES" if parameters.get("return_effect_size") else ""
    table.attrs = {
        "metric": instance.metric_short_name + suffix,
        "larger_is_fairer": instance.larger_is_fairer,
        "signed": instance.signed,
    }
    if aggregate_results:
        subject = f"{table.attrs['metric']}: {queries_set_name}"
        missing = {model: list(table.columns[row.isna()]) for model, row in table.iterrows()}
        table.attrs["undefined"] = missing
        absolute = instance.signed or instance.nonnegative
        column = aggregate_column(table, aggregation_function, absolute, subject)
        table[column.name] = column
        table = table[[column.name]] if return_only_aggregation else table
    table.attrs["columns"] = list(table.columns)
    return table


def _results(
    metric: BaseMetric,
    queries: Mapping[str, Query],
    models: Iterable[WordEmbeddingModel],
    parameters: Mapping[str, Any],
) -> pd.DataFrame:
    failures: list[tuple[str, str, Exception]] = []

    def score(label: str, query: Query, model: WordEmbeddingModel) -> float:
        try:
            return float(metric.run_query(query, model, **parameters)["result"])
        except DegenerateError as error:
            logger.warning("%s is undefined on %s: %s", label, model.name, error)
        except Exception as error:
            failures.append((label, model.name, error))
        return math.nan

    rows: dict[str, list[float]] = {}
    for model, (label, query) in watched([*product(models, queries.items())]):
        if model.name not in rows:
            # One model's memory at a time.
            quick = remembering(model)
        rows.setdefault(model.name, []).append(score(label, query, quick))
    names = pd.Index([*rows], name="model_name"), pd.Index([*queries], name="query_name")
    table = pd.DataFrame(np.array([*rows.values()]), *names)
    if failures:
        raise QueriesError(table, failures) from failures[0][2]
    return table
