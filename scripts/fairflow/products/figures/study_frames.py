"""The result frames every figure is drawn from."""

from collections.abc import Iterable
from dataclasses import field, make_dataclass

import pandas as pd

from fairflow.products.figures.names import wrapped_name
from fairflow.studies.tables import COMPARING, FIGURES, LANGUAGE, MULTIVERSE, study_tables

# Letters below all panels of a figure as wide as two columns, and how many a gap takes.
AXIS_LETTERS, GAP_LETTERS = 98, 5


class _Labelled:
    """What every figure asks of the tables of a study."""

    scores: pd.DataFrame
    ranking: pd.DataFrame
    labels: dict[str, str]
    readings: dict[str, str]

    def label(self, identifier: str) -> str:
        """Short label of an id, or the id itself."""
        return self.labels.get(identifier, identifier)

    def axis(self, metric: str, more: str = "") -> str:
        """Label of an axis of a metric's values: its name, and what a value says."""
        parts = [f"{self.label(metric)}{more}", self.readings.get(metric, "")]
        return "; ".join(part for part in parts if part)

    def axis_in_lines(self, metric: str, columns: int, more: str = "") -> str:
        """The same below one of so many panels beside the labels of queries."""
        width = max(16, AXIS_LETTERS // columns - GAP_LETTERS)
        parts = [f"{self.label(metric)}{more}", self.readings.get(metric, "")]
        return "\n".join(wrapped_name(part, width) for part in parts if part)

    def query_label(self, query: str) -> str:
        """Label of a query: from the labels, else from the scores, else the id itself.

        With the id behind it where another query of the study has the same label.
        """
        label = self._own_label(query)
        others = set() if self.scores.empty else {*self.scores["query"]} - {query}
        same = any(self._own_label(other) == label for other in others)
        return f"{label} [{query}]" if same else label

    def _own_label(self, query: str) -> str:
        if query in self.labels or self.scores.empty:
            return self.label(query)
        named = self.scores.loc[self.scores["query"] == query, "query_label"].dropna()
        return str(named.iloc[0]) if len(named) else query

    def sides(self, query: str) -> tuple[str, str]:
        """What the two sides of the direction of a query are called: the words of its first pair.

        Where the labels tell none they are the first words and the second words.
        """
        first, between, second = self.labels.get(f"{query}.sides", "").partition("|")
        return (first, second) if between else ("the first words", "the second words")

    def metrics(self) -> list[str]:
        """All metrics of the study, so that a metric keeps its colour in every figure."""
        frames = (self.scores, self.ranking)
        return in_order(metric for f in frames if not f.empty for metric in f["metric"])


_TABLES = study_tables(FIGURES, LANGUAGE, COMPARING, MULTIVERSE)
_FIELDS = [(table.name, pd.DataFrame) for table in _TABLES]

StudyFrames = make_dataclass(
    "StudyFrames",
    [
        *((name, type_, field(default_factory=type_)) for name, type_ in _FIELDS),
        ("labels", dict[str, str], field(default_factory=dict)),
        ("readings", dict[str, str], field(default_factory=dict)),
    ],
    bases=(_Labelled,),
    frozen=True,
)
StudyFrames.__doc__ = """Tidy results of one study: a frame for each table that figures read.

Any frame may be empty, even without columns. labels: by model, metric, query or table id.
readings: by metric, what its values say.
"""


def in_order(values: Iterable[str]) -> list[str]:
    """Distinct values in order of first appearance, without missing ones."""
    return [str(value) for value in dict.fromkeys(values) if not pd.isna(value)]


def rows_of_source(frame: pd.DataFrame, source: str) -> pd.DataFrame:
    """Rows whose `source` is the given one; the frame itself when it is empty."""
    return frame if frame.empty else frame[frame["source"] == source]


def queries_by_criterion(scores: pd.DataFrame) -> dict[str, list[str]]:
    """The queries of each criterion, in the order of the study."""
    return {
        str(name): in_order(rows["query"]) for name, rows in scores.groupby("criterion", sort=False)
    }


def first_queries(criteria: dict[str, list[str]], limit: int) -> dict[str, list[str]]:
    """At most `limit` queries, the first of each criterion before the second of any."""
    turns = sorted(
        (turn, number, query)
        for number, queries in enumerate(criteria.values())
        for turn, query in enumerate(queries)
    )
    chosen = {query for _, _, query in turns[: max(0, limit)]}
    kept = {name: [q for q in queries if q in chosen] for name, queries in criteria.items()}
    return {name: queries for name, queries in kept.items() if queries}


def left_out(every: dict[str, list[str]], shown: dict[str, list[str]]) -> str:
    """A sentence that tells how many queries a figure shows; empty if all."""
    n_every, n_shown = (sum(map(len, criteria.values())) for criteria in (every, shown))
    if n_shown == n_every:
        return ""
    return (
        f"For want of space {n_shown} of {n_every} queries, the first of each criterion; all are "
        "in the table of scores."
    )
