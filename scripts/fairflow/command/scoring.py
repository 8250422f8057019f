"""Scores of vectors as rows to print: the same numbers as the workflow's, cell by cell."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import islice, product
from typing import Any, NamedTuple

from threadpoolctl import threadpool_limits

from fairflow.capabilities import additions
from fairflow.command.asked import (
    AskedVectors,
    asked_queries,
    is_file,
    located,
    model_of_file,
    opened,
)
from fairflow.command.project import Project
from fairflow.errors import ConfigurationError, FairflowError
from fairflow.planning.languages import language_of_file, preset_in
from fairflow.queries.languages import ENGLISH, mark_of_all
from fairflow.queries.query import Query
from fairflow.scores.records import ranked
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import score_cell, watched
from fairflow.scores.word_variant import WordVariant, variant_of_class
from fairflow.statistics.uncertainty import Statistics
from fairflow.studies.wording import shortened
from fairflow.vectors.convert import words_of_file
from fairflow.vectors.vocabulary import with_vocabulary
from fairflow.vectors.word_embedding_model import WordEmbeddingModel

UNFIT = "does not fit"
_SIDES = {"greater": "one-sided", "less": "one-sided"}
USUAL_PRESET = "caliskan2017"
# The columns of each row after its query and metric.
COLUMNS = (
    *("subquery", "measure", "value", "n_words", "n_found", "n_oov", "oov_words", "status"),
    *("reason", "p_value", "alternative", "p_method", "ci_low", "ci_high", "ci_low_both"),
    *("ci_high_both", "ci_level", "statistics", "statistics_note"),
)


class Scored(NamedTuple):
    """What was asked and found.

    Attributes
    ----------
    rows : one for each (sub-)query and metric. sentences : on the file of vectors.
    preset : the entry of the preset that stands for the queries or the metrics; None without one.
    """

    rows: list[dict[str, Any]]
    queries: dict[str, Query]
    variants: dict[str, WordVariant]
    sentences: list[str]
    preset: Mapping[str, Any] | None

    @property
    def sets(self) -> dict[str, str]:
        """Query -> the names of its sets."""
        return {name: _sets(query) for name, query in self.queries.items()}

    @property
    def labels(self) -> dict[str, str]:
        """Metric -> what its value is called."""
        return {name: variant.label for name, variant in self.variants.items()}


def scores(
    project: Project,
    vectors: AskedVectors | WordEmbeddingModel,
    queries: Sequence[str | Query],
    metrics: Sequence[Any],
    preset: str | None = None,
    language: str | None = None,
    lookup: str | None = None,
    statistics: bool = True,
    all_measures: bool = False,
    columns: Sequence[str] = COLUMNS,
) -> Scored:
    """The scores of vectors, as the jobs of the workflow compute them.

    Parameters
    ----------
    metrics : names of the configuration, or classes of metrics.
    preset : stands for the queries, or the metrics, where none are named; None for the usual one.
    language : a BCP 47 tag, whose tests replace the preset's queries; by default that of the file
        if neither a preset nor queries are named.
    statistics : whether there are tests and intervals.
    all_measures : also those of a metric that it is not ranked by.
    columns : of each row after its query and metric, from those of a score file.

    Raises
    ------
    FairflowError : an unknown name, or a file without vectors or whose language is unclear.
    """
    told: list[str | None] = []
    file, entry = None, None
    if isinstance(vectors, AskedVectors):
        vectors = located(project, vectors)
        file = vectors if is_file(project, vectors.place) else None
    if file and not (language or preset or queries):
        own, _ = model_of_file(file)
        of_file = language_of_file(own, project.files("word_sets"), file.prefix)
        language, told = of_file.tag, [*of_file.sentences]
    if preset or not (queries and metrics):
        _, _, entry = project.named("preset", preset or USUAL_PRESET, "presets")
        entry = preset_in(language or ENGLISH, entry, project.files("queries"))
        queries = queries or [name for names in entry["criteria"].values() for name in names]
        metrics = metrics or entry["metrics"]
    variants: dict[str, WordVariant] = {}
    for made in (_variant(project, given) for given in metrics):
        if variants.setdefault(made.name, made).metric_class is not made.metric_class:
            raise FairflowError(f"two metrics are called {made.name!r}: score each on its own")
    told += [one.metric_class.caution for one in variants.values() if not one.parameters]
    asked = asked_queries(project, queries, lookup)
    settings = Statistics(**project.main.get("statistics", {})) if statistics else None
    seed, rows = project.main.get("seed", 0), []
    # As in the jobs of the workflow: the order of sums decides the last digits.
    with threadpool_limits(1):
        with opened(project, vectors, asked) as (model, because):
            slices = [with_vocabulary(model.look_up(a.query, a.lookup), model) for a in asked]
        if file and not any(found.forms for found in slices):
            own, _ = model_of_file(file)
            with closing(words_of_file(own.file, own.conversion)) as words:
                told.append(mark_of_all([*islice(words, 1_000)]))
        for one, found in zip(asked, slices, strict=True):
            shared = {word: None for account in found.targets for word in account.shared}
            if shared and one.lookup.shared_words == "keep":
                told.append(f"{one.name}: words of several target sets: {', '.join(shared)}")
        cells = [*product(zip(asked, slices, strict=True), variants.values())]
        for (one, found), variant in watched(cells):
            cell = Cell(model.name, variant.name, one.name)
            if problem := variant.query_problem(one.query.template, one.query.declared.names):
                rows.append({**cell._asdict(), "status": UNFIT, "reason": problem})
                continue
            records = score_cell(found, variant, cell, seed, settings)
            for record in records if all_measures else ranked(records):
                every = vars(record) | vars(record.uncertainty)
                rows.append(cell._asdict() | {name: every[name] for name in columns})
    said = [*filter(None, [because, *told])]
    return Scored(rows, {one.name: one.query for one in asked}, variants, said, entry)


def _sets(query: Query) -> str:
    sides = query.target_sets_names, query.attribute_sets_names
    return " - ".join(", ".join(names) for names in sides if names) or "words of the pairs"


def _variant(project: Project, given: Any) -> WordVariant:
    if not isinstance(given, str):
        return variant_of_class(given)
    further = (file for one in additions("plan") for file in one.variants)
    name, file, found = project.named("metric", given, "metrics", *further)
    if file != "metrics":
        raise FairflowError(f"{name} does not measure word vectors: name it in a study")
    entry = {key: value for key, value in found.items() if key != "note"}
    variant = WordVariant(name, **entry)
    if problems := variant.problems():
        raise ConfigurationError([f"metrics.yaml: {name}: {problem}" for problem in problems])
    return variant


def interval_name(rows: Sequence[Mapping[str, Any]]) -> str:
    """The name of a column of intervals."""
    levels = (row.get("ci_level", math.nan) for row in rows)
    level = next((level for level in levels if not math.isnan(level)), None)
    return f"{level:.0%} interval" if level else "interval"


def interval_ends(row: Mapping[str, Any]) -> str | None:
    """The interval of a row in words."""
    low, high = row.get("ci_low", math.nan), row.get("ci_high", math.nan)
    return None if math.isnan(low) or math.isnan(high) else f"{low:.4g} to {high:.4g}"


def readable_columns(
    rows: Sequence[Mapping[str, Any]], sets: Mapping[str, str], labels: Mapping[str, str]
) -> list[dict[str, Any]]:
    """The columns that a person reads, with the reasons for missing values, without long lists.

    Parameters
    ----------
    sets : query -> the names of its sets, which come first; the names of the configuration, last.
    labels : metric -> what its value is called: the head of the values, or a column where the
        metrics are several.
    """
    parts = _several(rows, "subquery")
    measures = _several(rows, "measure")
    several_metrics, several_models = (
        len({row[name] for row in rows}) > 1 for name in ("metric", "model")
    )
    only = "" if measures or several_metrics else rows[0]["metric"]
    interval = interval_name(rows)
    given = [row["alternative"] for row in rows if row.get("alternative")]
    sides = {_SIDES.get(alternative, alternative) for alternative in given}
    several_sides = len(sides) > 1
    p = "p" if several_sides or not sides else f"p ({sides.pop()})"
    shown = []
    for row in rows:
        cells: dict[str, Any] = {"sets": sets[row["query"]]}
        if parts:
            several = (row["query"], row["metric"]) in parts
            cells["sub-query"] = row.get("subquery") if several else ""
        cells |= {"model": row["model"]} if several_models else {}
        if measures:
            cells |= {"metric": row["metric"]} if several_metrics else {}
            cells["measure"] = row.get("measure")
        elif several_metrics:
            cells["measure"] = labels.get(row["metric"], row["metric"])
        few = ", few words" if row.get("statistics") == "few_words" else ""
        reason = f": {shortened(row['reason'])}" if row.get("reason") else ""
        lost = f"{row['n_oov']} of {row['n_words']}" if "n_oov" in row else None
        cells |= {labels.get(only, "value"): row.get("value")}
        cells |= {interval: interval_ends(row), p: row.get("p_value")}
        if several_sides:
            cells["test"] = _SIDES.get(row.get("alternative", ""), row.get("alternative"))
        cells |= {"words lost": lost, "status": f"{row['status']}{few}{reason}"}
        # A column that is there already keeps its place.
        shown.append(cells | {"metric": row["metric"], "query": row["query"]})
    return shown


def _several(rows: Sequence[Mapping[str, Any]], column: str) -> set[tuple[str, str]]:
    """The queries and metrics whose rows have several values in a column."""
    values = defaultdict(set)
    for row in rows:
        values[row["query"], row["metric"]].add(row.get(column))
    return {of for of, found in values.items() if len(found) > 1}
