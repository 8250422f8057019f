"""The scores of a study with what every form of export says of them: fair value, interval, items.

Platforms sort by value and know only "larger is better" and "smaller is better", which no score
with a fair value of 0 or 50 is. They get its absolute distance from the fair value, with the score
next to it. Scores are on the scale on which they are published.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from fairflow.planning.study import Study
from fairflow.queries.query import subquery_label
from fairflow.statistics.outcome import Reading, published_name
from fairflow.studies import comparability
from fairflow.studies.claims.claim import Results

NO_FAIR_VALUE, NO_REASON = "no value of the metric is known to be fair", "it has no value"
_FACTS = (
    *("metric", "measure", "criterion", "query", "subquery", "subquery_digest", "p_value", "p_bh"),
    *("alternative", "p_method", "ci_level", "ci_method", "ci_low_both", "ci_high_both", "control"),
    *("n_resamples", "n_words", "n_found", "n_items", "n_clusters", "sampled_from", "status"),
    *("reason", "statistics_note"),
)
_KEY = ("metric", "query", "subquery")


class Estimate(NamedTuple):
    """A value, its interval, and its standard error over the same resamples; NaN if unknown."""

    value: float
    low: float
    high: float
    error: float


class ExportedScore(NamedTuple):
    """A headline score.

    Attributes
    ----------
    name : METRIC.QUERY, and the digest of one of several sub-queries. metric, query : labels.
    reading : what a value means. fair : the fair value. row : of the table of scores.
    shift : from the scale of that table. others : the metric's other measures.
    """

    name: str
    metric: str
    query: str
    reading: str
    fair: float
    row: Mapping[str, Any]
    shift: float
    others: Mapping[str, float]

    @property
    def score(self) -> Estimate:
        """The score itself."""
        ends = (self.row[name] + self.shift for name in ("value", "ci_low", "ci_high"))
        return Estimate(*ends, _spread(self._draws))

    @property
    def distance(self) -> Estimate:
        """Its absolute distance from the fair value, with the distances in its interval."""
        value, low, high, _ = self.score
        ends = sorted((abs(low - self.fair), abs(high - self.fair)))
        least = 0.0 if low <= self.fair <= high else ends[0]
        error = _spread(np.abs(self._draws - self.fair))
        return Estimate(abs(value - self.fair), least, ends[1], error)

    @property
    def number(self) -> int:
        """How many items it rests on, or words."""
        n_items = self.row.get("n_items")
        return int(n_items if _is_known(n_items) else self.row["n_found"])

    @property
    def facts(self) -> dict[str, Any]:
        """Everything else that a reader needs, as far as it is known."""
        value, low, high, _ = self.score
        facts = {"value": value, "ci_low": low, "ci_high": high, "fair_value": self.fair}
        facts |= {"reading": self.reading} | {name: self.row.get(name) for name in _FACTS}
        return known(facts | {f"measure {name}": value for name, value in self.others.items()})

    @property
    def _draws(self) -> np.ndarray:
        # Where attribute words are drawn, too, they are those of another interval.
        of_both = not math.isnan(self.row["ci_low_both"])
        return np.array([] if of_both else self.row["draws"], dtype=float) + self.shift


@dataclass(frozen=True)
class ExportedStudy:
    """A study of a finished run.

    Attributes
    ----------
    made : when its scores were written. identity : of the run, see `records.run_identity`.
    results : its table of scores and its settings. study : its plan.
    models : name -> what the catalogue says of it: label, sources, licence, ...
    authors : name, orcid.
    """

    made: datetime
    identity: Mapping[str, str]
    results: Results
    study: Study
    models: Mapping[str, Mapping[str, Any]]
    authors: Sequence[Mapping[str, str]] = ()

    @cached_property
    def scores(self) -> dict[str, list[ExportedScore]]:
        """Model -> its scores with a value and a fair value; no control queries."""
        found = {m: [one for one, why in self._judged(m) if not why] for m in self.models}
        return {model: scores for model, scores in found.items() if scores}

    @cached_property
    def left_out(self) -> dict[str, dict[str, str]]:
        """Model -> metric and query -> why this score is not exported."""
        return {
            model: {f"{one.metric} on {one.query}": why for one, why in self._judged(model) if why}
            for model in self.models
        }

    def _judged(self, model: str) -> Iterator[tuple[ExportedScore, str]]:
        every = self.results.frames["scores"]
        own = comparability.without_controls(every[every["model"] == model])
        others: dict[tuple[str, ...], dict[str, float]] = defaultdict(dict)
        for row in own[~own["is_primary"] & own["value"].notna()].to_dict("records"):
            value = row["value"] + self._reading(row).published_shift
            others[tuple(row[name] for name in _KEY)][row["measure"]] = value
        rows = own[own["is_primary"]].to_dict("records")
        parts = Counter((row["metric"], row["query"]) for row in rows)
        labels = Counter(label for label, _ in {(row["query_label"], row["query"]) for row in rows})
        for row in rows:
            several = parts[row["metric"], row["query"]] > 1
            one = self._score(row, several, labels[row["query_label"]] > 1)
            one = one._replace(others=others[tuple(row[name] for name in _KEY)])
            if row["control_status"] == comparability.CONTROL_FAILS:
                yield one, f"{comparability.FLAG}: {row['control']}"
            elif not math.isfinite(row["value"]):
                yield one, str(row["reason"]) if _is_known(row["reason"]) else NO_REASON
            else:
                yield one, NO_FAIR_VALUE if math.isnan(one.fair) else ""

    def _reading(self, row: Mapping[str, Any]) -> Reading:
        return self.study.variants[row["metric"]].reading_of(row["measure"])

    def _score(self, row: Mapping[str, Any], several: bool, named: bool) -> ExportedScore:
        label, reading = self.study.variants[row["metric"]].label, self._reading(row)
        shift, fair = reading.published_shift, row["fair"]
        query = subquery_label(row["query"], row["subquery"], row["query_label"])
        return ExportedScore(
            f"{row['metric']}.{row['query']}" + f".{row['subquery_digest']}" * several,
            published_name(label, shift),
            query + f" [{row['query']}]" * named,
            reading.text(shift),
            fair + shift,
            row,
            shift,
            {},
        )


def known(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is not known, and whole numbers as such: JSON has no NaN."""
    return {
        name: int(fact) if isinstance(fact, float) and fact.is_integer() else fact
        for name, fact in facts.items()
        if _is_known(fact)
    }


def _is_known(fact: Any) -> bool:
    return math.isfinite(fact) if isinstance(fact, float) else fact not in (None, "", False)


def _spread(draws: np.ndarray) -> float:
    return float(np.std(draws, ddof=1)) if len(draws) > 1 else math.nan
