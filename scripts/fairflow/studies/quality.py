"""How good the vectors of each model are, by benchmarks, and how much that differs between models.

Noise makes every association smaller: a model with less bias may only be a poorer model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from fairflow.files.checked_files import read_arrays, write_arrays
from fairflow.statistics.intervals import percentile_interval
from fairflow.statistics.item_bootstrap import observed, resampled
from fairflow.statistics.seeds import identity_seed
from fairflow.studies.benchmarks import (
    ANALOGIES,
    SIMILARITY,
    Benchmark,
    BenchmarkAnswers,
    answers_of,
)
from fairflow.studies.tables import columns_of
from fairflow.vectors.first_words import first_words
from fairflow.vectors.word_rows import WordRows

# On fewer items a benchmark tells nothing.
FEWEST = 10
# Of the words of a file, the first ones answer analogies.
VOCABULARY = 50_000
STATISTICS = {SIMILARITY: "spearman", ANALOGIES: "mean"}
RESAMPLES = 1_000
COLUMNS = columns_of("quality")


@dataclass(frozen=True, eq=False)
class Finding:
    """What a model answers to a benchmark.

    Attributes
    ----------
    benchmark, kind : its name and kind. total : the number of its items.
    answers : to the items that the model has. note : what a reader should know.
    """

    benchmark: str
    kind: str
    total: int
    answers: BenchmarkAnswers
    note: str = ""

    @property
    def n(self) -> int:
        """The number of items that the model has."""
        return len(self.answers.items)


def quality_findings(model: WordRows, benchmarks: Mapping[str, Benchmark]) -> list[Finding]:
    """What a model answers to each benchmark.

    Parameters
    ----------
    benchmarks : by name.
    """
    asks = any(one.kind == ANALOGIES for one in benchmarks.values())
    first = first_words(model, VOCABULARY if asks else 0)
    found = []
    for name, one in benchmarks.items():
        answers, note = answers_of(model, first, one)
        if (n := len(answers.items)) < FEWEST:
            note = f"only {n} of its items have all words in the model"
        found.append(Finding(name, one.kind, len(one.items), answers, note))
    return found


def write_findings(model: str, found: Iterable[Finding], path: str | Path) -> None:
    """Write the findings of a model as one .npz file; equal findings, equal bytes."""
    rows: list[dict[str, Any]] = []
    arrays: dict[str, np.ndarray] = {}
    for number, finding in enumerate(found):
        arrays |= {f"{name}_{number}": array for name, array in vars(finding.answers).items()}
        rows.append({name: value for name, value in vars(finding).items() if name != "answers"})
    write_arrays({"model": model, "findings": rows}, arrays, path)


def read_findings(path: str | Path) -> tuple[str, list[Finding]]:
    """The model and the findings that `write_findings` wrote.

    Raises
    ------
    FairflowError : the file is damaged.
    FileNotFoundError : there is no such file.
    """
    return read_arrays(path, "file of findings", _findings)


def _findings(account: dict[str, Any], arrays: dict[str, np.ndarray]) -> tuple[str, list[Finding]]:
    names = BenchmarkAnswers.__dataclass_fields__
    return account["model"], [
        Finding(**row, answers=BenchmarkAnswers(*(arrays[f"{name}_{number}"] for name in names)))
        for number, row in enumerate(account["findings"])
    ]


@dataclass(frozen=True, eq=False)
class _Drawn:
    """A finding, whose statistic is drawn once, however many models it is compared with."""

    finding: Finding
    seed: int
    of_items: dict[bytes, _Drawn] = field(default_factory=dict)

    def on(self, items: np.ndarray) -> _Drawn:
        """The same on some of its items, drawn once for all models that lack the others."""
        answers, key = self.finding.answers, items.tobytes()
        if np.array_equal(answers.items, items):
            return self
        if key not in self.of_items:
            at = np.flatnonzero(np.isin(answers.items, items))
            some = BenchmarkAnswers(items, answers.expected[at], answers.given[at])
            self.of_items[key] = _Drawn(replace(self.finding, answers=some), self.seed)
        return self.of_items[key]

    @cached_property
    def draws(self) -> np.ndarray:
        """The statistic of its answers, and after it those of resampled answers."""
        kind, given = self.finding.kind, self.finding.answers
        statistic, sides = STATISTICS[kind], (given.expected, given.given)
        seed = identity_seed(self.seed, "what remains", kind, self.finding.benchmark)
        return np.append(observed(statistic, *sides), resampled(statistic, *sides, RESAMPLES, seed))


def quality(
    found: Iterable[tuple[str, Iterable[Finding]]],
    labels: Mapping[str, str],
    level: float,
    seed: int,
) -> pd.DataFrame:
    """How good each model is by each benchmark, compared with each other model.

    Parameters
    ----------
    found : model and its findings. labels : of the benchmarks that are reported, and no others.
    level : of intervals. seed : of their resamples.

    Returns
    -------
    Columns model, other (NaN of a model alone), subject (the benchmark), value, value_range_low and
    _high; n of total items; difference to the other model on the items that both hold, its interval
    (difference_low, difference_high); note, why there is no value.
    """
    of_model = {
        model: {one.benchmark: _Drawn(one, seed) for one in findings if one.benchmark in labels}
        for model, findings in found
    }
    return pd.DataFrame(_rows(of_model, labels, level), columns=COLUMNS)


def _rows(
    of_model: Mapping[str, Mapping[str, _Drawn]], labels: Mapping[str, str], level: float
) -> Iterator[dict[str, Any]]:
    for model, drawn in of_model.items():
        for benchmark, one in drawn.items():
            row = {"model": model, "subject": labels[benchmark], **_of_answers(one, level)}
            yield row
            for other, theirs in of_model.items():
                if other != model:
                    yield {**row, "other": other, **_difference(one, theirs[benchmark], level)}


def _of_answers(drawn: _Drawn, level: float) -> dict[str, Any]:
    finding = drawn.finding
    known = {"n": finding.n, "total": finding.total, "note": finding.note}
    if finding.n < FEWEST:
        return known | {"n": 0}
    low, high = percentile_interval(drawn.draws[1:], level)
    return known | {"value": drawn.draws[0], "value_range_low": low, "value_range_high": high}


def _difference(drawn: _Drawn, other: _Drawn, level: float) -> dict[str, float]:
    """The difference to another model, of answers to the items that both cover."""
    if min(drawn.finding.n, other.finding.n) < FEWEST:
        return {}
    items = np.intersect1d(drawn.finding.answers.items, other.finding.answers.items)
    difference = drawn.on(items).draws - other.on(items).draws
    low, high = percentile_interval(difference[1:], level)
    return {"difference": difference[0], "difference_low": low, "difference_high": high}
