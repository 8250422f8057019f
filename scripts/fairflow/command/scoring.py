"""Scores of vectors as rows to print: the same numbers as the workflow's, cell by cell."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from threadpoolctl import threadpool_limits

from fairflow.command.asked import AskedQuery, AskedVectors, asked_queries, opened
from fairflow.command.project import Project, meant
from fairflow.errors import ConfigurationError, FairflowError
from fairflow.scores.records import Record
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import score_cell
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.uncertainty import Statistics
from fairflow.vectors.query_vectors import QueryVectors
from fairflow.vectors.vocabulary import with_vocabulary
from fairflow.vectors.word_embedding_model import WordEmbeddingModel

UNFIT = "does not fit"
# Those of each row besides what it is about.
_NUMBERS = ("value", "n_words", "n_found", "n_lost", "lost_words", "status", "reason")
_STATISTICS = (
    *("p_value", "p_side", "p_method", "ci_low", "ci_high", "ci_low_both", "ci_high_both"),
    *("ci_level", "statistics", "statistics_note"),
)


@dataclass(frozen=True)
class Asked:
    """What is to be scored by what; a preset stands for its queries and metrics.

    Attributes
    ----------
    statistics : whether there are tests and intervals. every_measure : also those of a metric
        that it is not ranked by.
    """

    vectors: AskedVectors
    queries: Sequence[str] = ()
    metrics: Sequence[str] = ()
    preset: str | None = None
    lookup: str | None = None
    statistics: bool = True
    every_measure: bool = False


def scores(project: Project, asked: Asked) -> tuple[list[dict[str, Any]], str | None]:
    """A row for each (sub-)query and metric, and as what the file of vectors was recognised.

    Raises
    ------
    FairflowError : an unknown name, a file without vectors, or nothing to score.
    """
    wanted_queries, wanted_metrics = _with_preset(project, asked)
    if not wanted_queries or not wanted_metrics:
        raise FairflowError(
            "name at least one --query and one --metric, or a --preset that holds both"
        )
    metrics = [_variant(project, name) for name in dict.fromkeys(wanted_metrics)]
    queries = asked_queries(project, dict.fromkeys(wanted_queries), asked.lookup)
    settings = Statistics(**project.main.get("statistics", {})) if asked.statistics else None
    # As in the jobs of the workflow: the order of sums decides the last digits.
    with opened(project, asked.vectors, queries) as (model, because), threadpool_limits(1):
        slices = {one.name: _looked_up(one, model) for one in queries}
        name = model.name
    with threadpool_limits(1):
        rows = [
            row
            for one in queries
            for variant in metrics
            for row in _rows(
                one, variant, slices[one.name], name, project.main.get("seed", 0), settings
            )
            if asked.every_measure or row["headline"]
        ]
    return [{k: v for k, v in row.items() if k != "headline"} for row in rows], because


def _looked_up(asked: AskedQuery, model: WordEmbeddingModel) -> QueryVectors:
    return with_vocabulary(model.look_up(asked.query, asked.lookup), model)


def _with_preset(project: Project, asked: Asked) -> tuple[list[str], list[str]]:
    queries, metrics = list(asked.queries), list(asked.metrics)
    if asked.preset:
        presets = project.contents("presets")
        preset = presets[meant("preset", asked.preset, presets)]
        queries = queries or [name for names in preset["criteria"].values() for name in names]
        metrics = metrics or preset["metrics"]
    return queries, metrics


def _variant(project: Project, given: str) -> WordVariant:
    of_words, of_items = project.contents("metrics"), project.contents("language_metrics")
    name = meant("metric", given, [*of_words, *of_items])
    if name in of_items:
        raise FairflowError(f"{name} measures language models: name it in a study")
    entry = {key: value for key, value in of_words[name].items() if key != "note"}
    variant = WordVariant(name, **entry)
    if problems := variant.problems():
        raise ConfigurationError([f"metrics.yaml: {name}: {problem}" for problem in problems])
    return variant


def _rows(
    asked: AskedQuery,
    variant: WordVariant,
    vectors: Any,
    model: str,
    seed: int,
    statistics: Statistics | None,
) -> Iterator[dict[str, Any]]:
    cell = Cell(model, variant.name, asked.name)
    query = asked.query
    if problem := variant.query_problem(query.template, query.declared.names):
        yield {**cell._asdict(), "headline": True, "status": UNFIT, "reason": problem}
        return
    for record in score_cell(vectors, variant, cell, seed, statistics):
        yield {**cell._asdict(), **_columns(record)}


def _columns(record: Record) -> dict[str, Any]:
    columns = {
        "subquery": record.subquery,
        "measure": record.measure,
        "headline": record.headline,
    }
    columns |= {name: getattr(record, name) for name in _NUMBERS}
    return columns | {name: getattr(record.uncertainty, name) for name in _STATISTICS}


def readable(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The few columns that a person reads, with the reasons of what is missing."""
    parts = _several(rows, "subquery")
    measures = _several(rows, "measure")
    levels = (row.get("ci_level", math.nan) for row in rows)
    level = next((level for level in levels if not math.isnan(level)), None)
    return [
        {"query": row["query"]}
        | ({"sub-query": row.get("subquery") if _of(row) in parts else ""} if parts else {})
        | {"metric": row["metric"]}
        | ({"measure": row.get("measure")} if measures else {})
        | {
            "value": row.get("value"),
            "p": row.get("p_value"),
            f"{level:.0%} interval" if level else "interval": _interval(row),
            "words lost": f"{row['n_lost']} of {row['n_words']}" if "n_lost" in row else None,
            "status": _status(row),
        }
        for row in rows
    ]


def _of(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["query"], row["metric"]


def _several(rows: Sequence[Mapping[str, Any]], column: str) -> set[tuple[str, str]]:
    """The queries and metrics in whose rows a column has several values."""
    values: dict[tuple[str, str], set[Any]] = {}
    for row in rows:
        values.setdefault(_of(row), set()).add(row.get(column))
    return {of for of, found in values.items() if len(found) > 1}


def _interval(row: Mapping[str, Any]) -> str | None:
    low, high = row.get("ci_low", math.nan), row.get("ci_high", math.nan)
    return None if math.isnan(low) or math.isnan(high) else f"{low:.4g} to {high:.4g}"


def _status(row: Mapping[str, Any]) -> str:
    reason = f": {row['reason']}" if row.get("reason") else ""
    few = ", few words" if row.get("statistics") == "few_words" else ""
    return f"{row['status']}{few}{reason}"
