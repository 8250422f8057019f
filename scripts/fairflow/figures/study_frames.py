"""The result frames every figure is drawn from."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import pandas as pd


@dataclass(frozen=True)
class StudyFrames:
    """Tidy results of one study; any frame may be empty, even without columns.

    scores: model, metric, criterion, query, query_label, subquery, measure, value (NaN when
        undefined), n_words, n_lost, status, reason; the headline measure only.
    aggregates: source, model, criterion, metric, aggregation, value, n_queries, n_defined,
        undefined.
    ranking: source, criterion, metric, model, score, rank (1 = weakest association), n_common.
    correlations: source, criterion, method, metric_row, metric_column, correlation, n_models.
    published: table, model, published_model, metric, scope, published, decimals, computed,
        difference, verdict, reason.
    coverage: model, word_set, words, found, lost.
    labels: short labels by model, metric, query or table id.
    """

    scores: pd.DataFrame
    aggregates: pd.DataFrame
    ranking: pd.DataFrame
    correlations: pd.DataFrame
    published: pd.DataFrame
    coverage: pd.DataFrame = field(default_factory=pd.DataFrame)
    labels: dict[str, str] = field(default_factory=dict)

    def label(self, identifier: str) -> str:
        """Short label of an id, or the id itself."""
        return self.labels.get(identifier, identifier)

    def query_label(self, query: str) -> str:
        """Label of a query: from the labels, else from the scores, else the id itself."""
        if query in self.labels or self.scores.empty:
            return self.label(query)
        named = self.scores.loc[self.scores["query"] == query, "query_label"].dropna()
        return str(named.iloc[0]) if len(named) else query

    def metrics(self) -> list[str]:
        """All metrics of the study, so that a metric keeps its colour in every figure."""
        frames = (self.scores, self.ranking)
        return in_order(metric for f in frames if not f.empty for metric in f["metric"])


def in_order(values: Iterable[str]) -> list[str]:
    """Distinct values in order of first appearance, without missing ones."""
    return [str(value) for value in dict.fromkeys(values) if not pd.isna(value)]


def rows_of_source(frame: pd.DataFrame, source: str) -> pd.DataFrame:
    """Rows whose `source` is the given one; the frame itself when it is empty."""
    return frame if frame.empty else frame[frame["source"] == source]
