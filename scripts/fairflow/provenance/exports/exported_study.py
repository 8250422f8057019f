"""The scores of a study with what every form of export says of them: fair value, interval, items.

Scores are on the scale on which they are published. Platforms sort by value and know only "larger
is better" and "smaller is better", which no score with a fair value of 0 or 50 is. They get its
absolute distance from the fair value, with the score next to it.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np

from fairflow.files.references import full_citation
from fairflow.planning.study import Study
from fairflow.queries.query import subquery_label
from fairflow.studies import comparability
from fairflow.studies.findings.finding import Results
from fairflow.studies.findings.items import EVEN, LESS_50, PREFERENCE

NO_FAIR_VALUE = "the metric names no fair value"
NO_REASON = "it has no value"


class Estimate(NamedTuple):
    """A value with its interval and standard error (of resamples), as far as they are known."""

    value: float
    low: float | None
    high: float | None
    error: float | None


@dataclass(frozen=True)
class ExportedScore:
    """A headline score.

    Attributes
    ----------
    name : METRIC.QUERY, and of one of several sub-queries its digest.
    row : of the table of scores. metric, query : their labels. reading : what a value means.
    shift : from the scale of the table to the published one. fair : the fair value.
    others : the other measures of the metric.
    """

    name: str
    row: Mapping[str, Any]
    metric: str
    query: str
    reading: str
    shift: int
    fair: float
    others: Mapping[str, float]

    @property
    def number(self) -> int:
        """How many items it rests on, or words."""
        items = self.row.get("n_items")
        return int(self.row["n_found"] if _missing(items) else items)

    @property
    def asked(self) -> int:
        """How many items or words there are, also those without a score or not drawn."""
        drawn_from = self.row.get("sampled_from")
        return int(self.row["n_words"] if _missing(drawn_from) else drawn_from)

    @property
    def largest_distance(self) -> float | None:
        """The largest possible distance; None if the scale has no end."""
        return float(EVEN) if self.row["measure"] == PREFERENCE else None

    @property
    def score(self) -> Estimate:
        """The score itself."""
        ends = (self.row["ci_low"] + self.shift, self.row["ci_high"] + self.shift)
        return _estimate(self.row["value"] + self.shift, *ends, self._draws)

    @property
    def distance(self) -> Estimate:
        """Its absolute distance from the fair value; the interval is that of the score, moved."""
        value, low, high, _ = self.score
        draws = np.abs(self._draws - self.fair)
        if low is None or high is None:
            return _estimate(abs(value - self.fair), math.nan, math.nan, draws)
        ends = sorted((abs(low - self.fair), abs(high - self.fair)))
        least = 0.0 if low <= self.fair <= high else ends[0]
        return _estimate(abs(value - self.fair), least, ends[1], draws)

    @property
    def distance_name(self) -> str:
        """'absolute distance of WEAT effect size from 0'."""
        return f"absolute distance of {self.metric} from {self.fair:g}"

    @property
    def short_distance_name(self) -> str:
        """'absolute_distance_from_0', where there is no room for the metric."""
        return f"absolute_distance_from_{self.fair:g}"

    @property
    def facts(self) -> dict[str, Any]:
        """Everything else that a reader needs; what is not known is left out."""
        value, low, high, _ = self.score
        facts = {"metric": self.row["metric"], "measure": self.row["measure"], "value": value}
        facts |= {"ci_low": low, "ci_high": high, "fair_value": self.fair, "reading": self.reading}
        facts |= {name: self.row.get(name) for name in _COLUMNS}
        facts |= {f"measure {name}": value for name, value in self.others.items()}
        return {name: _plain(value) for name, value in facts.items() if not _missing(value)}

    @property
    def _draws(self) -> np.ndarray:
        # Where attribute words are drawn, too, they belong to another interval than the score's.
        known = self.row.get("draws", ()) if _missing(self.row["ci_low_both"]) else ()
        draws = np.asarray(known, dtype=float)
        return draws[np.isfinite(draws)] + self.shift


_COLUMNS = (
    *("criterion", "query", "subquery", "subquery_digest", "p_value", "p_bh", "alternative"),
    *("p_method", "ci_level", "ci_method", "n_resamples", "n_words", "n_found", "n_items"),
    *(
        "ci_low_both",
        "ci_high_both",
        "n_clusters",
        "sampled_from",
        "status",
        "reason",
        "statistics_note",
        "control",
    ),
)


@dataclass(frozen=True)
class ExportedStudy:
    """A study of a finished run.

    Attributes
    ----------
    made : when its scores were written. identity : of the run, see `records.run_identity`.
    results : its table of scores and its settings. study : its plan.
    models : name -> what the catalogue says of it: label, sources, licence, ...
    files : path -> what it is, its tables and figures. authors : name, orcid. reference : a DOI.
    dataset : on the Hub, whose tasks its queries are.
    """

    name: str
    title: str
    made: datetime
    identity: Mapping[str, str]
    results: Results
    study: Study
    models: Mapping[str, Mapping[str, Any]]
    files: Mapping[str, str]
    authors: Sequence[Mapping[str, str]] = ()
    reference: str = ""
    dataset: str = ""

    def query_facts(self, query: str) -> dict[str, str]:
        """Name, and citation, licence and origin as far as they are known."""
        planned = self.study.entries.queries[query]
        entry = getattr(planned, "entry", {})
        facts = {"citation": full_citation(planned.citation)}
        facts |= {name: entry.get(name) for name in ("licence", "origin")}
        return {"query": query} | {name: str(text) for name, text in facts.items() if text}

    def scores(self, model: str) -> list[ExportedScore]:
        """The scores of a model that have a value and a fair value, no control queries."""
        return [one for one, _ in self._judged(model) if one]

    def left_out(self, model: str) -> list[tuple[str, str]]:
        """(Metric and query, reason) of each other score of a model."""
        return [(name, why) for one, (name, why) in self._judged(model) if not one]

    def _judged(self, model: str) -> Iterator[tuple[ExportedScore | None, tuple[str, str]]]:
        every = self.results.frames["scores"]
        own = comparability.without_controls(every[every["model"] == model])
        others: dict[tuple[str, ...], dict[str, float]] = defaultdict(dict)
        for row in own[~own["is_primary"]].to_dict("records"):
            if not _missing(row["value"]):
                others[_key(row)][row["measure"]] = row["value"] + _shift(row["measure"])
        rows = own[own["is_primary"]].to_dict("records")
        parts = Counter((row["metric"], row["query"]) for row in rows)
        labels = Counter(label for label, _ in {(row["query_label"], row["query"]) for row in rows})
        for row in rows:
            name = f"{row['metric']}.{row['query']}"
            if parts[row["metric"], row["query"]] > 1:
                name += f".{row['subquery_digest']}"
            one = self._score(name, row, others[_key(row)], labels[row["query_label"]] > 1)
            control = row.get("control", "")
            if comparability.failing(control):
                why = f"{comparability.FLAG}: {control}"
            elif math.isnan(row["value"]):
                why = NO_REASON if _missing(row["reason"]) else str(row["reason"])
            else:
                why = NO_FAIR_VALUE if math.isnan(one.fair) else ""
            yield None if why else one, (f"{one.metric} on {one.query}", why)

    def _score(
        self, name: str, row: Mapping[str, Any], others: Mapping[str, float], named: bool
    ) -> ExportedScore:
        variant, shift = self.study.variants[row["metric"]], _shift(row["measure"])
        fair = comparability.fair_value(variant.interpretation, variant.direction)
        metric = variant.label.replace(LESS_50, "", 1) if shift else variant.label
        query = subquery_label(row["query"], row["subquery"], row["query_label"])
        reading = variant.interpretation.replace("above 0", f"above {shift}")
        return ExportedScore(
            name,
            row,
            metric,
            f"{query} [{row['query']}]" if named else query,
            reading,
            shift,
            math.nan if fair is None else fair + shift,
            others,
        )


def _key(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(row[name] for name in ("metric", "query", "subquery"))


def _shift(measure: str) -> int:
    """From the scale of the tables to the published one."""
    return EVEN if measure == PREFERENCE else 0


def strict_json(contents: Any) -> str:
    """Contents as JSON that every reader takes: without NaN, which raises ValueError."""
    return json.dumps(contents, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _estimate(value: float, low: float, high: float, draws: np.ndarray) -> Estimate:
    ends = (None, None) if math.isnan(low) or math.isnan(high) else (float(low), float(high))
    error = float(draws.std(ddof=1)) if len(draws) > 1 else None
    return Estimate(float(value), *ends, error)


def _missing(value: Any) -> bool:
    return value is None or value == "" or (isinstance(value, float) and not math.isfinite(value))


def _plain(value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    return int(value) if isinstance(value, float) and value.is_integer() else value
