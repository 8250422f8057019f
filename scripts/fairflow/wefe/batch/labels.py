"""The queries of a batch under the names of their columns."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence

from fairflow.metrics.base_metric import BaseMetric
from fairflow.queries.query import Query
from fairflow.wefe.batch.arguments import checked_metric


def by_name(queries: Sequence[Query]) -> dict[str, Query]:
    """Name -> query; a query given twice counts once.

    Raises
    ------
    ValueError : two different queries of one name; their results would share a column.
    """
    named: dict[str, Query] = {}
    clashing = []
    for query in queries:
        first = named.setdefault(query.query_name, query)
        if first.digest != query.digest:
            clashing.append(query.query_name)
    if clashing:
        raise ValueError(
            f"different queries share the names {sorted(set(clashing))}; name their sets: "
            "Query(..., target_sets_names=[...], attribute_sets_names=[...])"
        )
    return named


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
            if part.digest not in seen:
                seen.add(part.digest)
                named[_free_label(part.query_name, named)] = part
    _report_too_small(too_small, template, everything=not named)
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
        have if need == "n" else need for have, need in zip(query.template, template, strict=True)
    )
    if targets > query.template[0] or attributes > query.template[1]:
        return []
    return query.get_subqueries((targets, attributes))


def _free_label(name: str, taken: Collection[str]) -> str:
    label, number = name, 2
    while label in taken:
        label, number = f"{name} ({number})", number + 1
    return label


def _report_too_small(
    names: list[str], template: tuple[int | str, int | str], everything: bool
) -> None:
    if not names:
        return
    sentence = f"queries with too few sets for the template {template}: {names}"
    if everything:
        raise ValueError(sentence)
    warnings.warn(f"left out {sentence}", UserWarning, stacklevel=4)
