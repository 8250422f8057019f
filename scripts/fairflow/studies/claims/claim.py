"""A claim: one estimate with its interval, its gates and its verdict; and the tables it is from.

A claim is data. Its words are in `fairflow.studies.claims.words`, and nothing is decided there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import pandas as pd

from fairflow.scores.ranked import ranked_rows
from fairflow.studies.comparability import readable

# Kinds.
REPRODUCED, CONTROL, ASSOCIATION, COMPARISON = "reproduced", "control", "association", "comparison"
DEBIASED = "debiased"
OWN, NOT_MEASURED = "own metric", "not measured"
# States of a gate.
PASSED, FAILED, UNKNOWN = "passed", "failed", "unknown"
# Verdicts of several kinds: not told apart from no effect; never tested; too few units for a test.
OPEN, UNTESTED, UNTESTABLE = "open", "untested", "untestable"
# Whether a value is on the right side of a limit: `operator.lt`, say.
Holds = Callable[[float, float], bool]


class Gate(NamedTuple):
    """What had to hold for a verdict.

    Attributes
    ----------
    name : of the gate. state : `PASSED`, `FAILED` or `UNKNOWN`. value, limit : what was compared,
        NaN where it is no number. table : of the study, which holds the value.
    """

    name: str
    state: str
    value: float = math.nan
    limit: float = math.nan
    table: str = ""

    @classmethod
    def of(cls, name: str, holds: bool | None, *compared: float, table: str = "") -> Gate:
        """A gate that holds, does not hold or, with None, is unknown."""
        state = UNKNOWN if holds is None else PASSED if holds else FAILED
        value, limit = compared or (math.nan, math.nan)
        return cls(name, state, value, limit, table)

    @classmethod
    def than(cls, holds: Holds, name: str, value: float, limit: float, table: str = "") -> Gate:
        """A gate that compares a value with a limit, unknown of NaN."""
        known = None if math.isnan(value) else holds(value, limit)
        return cls.of(name, known, value, limit, table=table)


@dataclass(frozen=True)
class Claim:
    """One thing that can be said of a study.

    Attributes
    ----------
    kind, verdict : of the lists in words.yaml; the verdict is about `subject`.
    subject, against : models, "" for the whole study or none. criterion, query, measure : where
        and by what, "" without.
    value, low, high : the estimate and its interval. p_adjusted : corrected as the report declares.
    n : units. gates : what had to hold. table, rows : where the numbers stand, by key columns.
    facts : further plain values. what, sentence, short : its words, see `words.worded`.
    """

    kind: str
    verdict: str
    subject: str = ""
    against: str = ""
    criterion: str = ""
    query: str = ""
    measure: str = ""
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p_adjusted: float = math.nan
    n: int = 0
    gates: tuple[Gate, ...] = ()
    table: str = "scores"
    rows: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    what: str = ""
    sentence: str = ""
    short: str = ""

    def gate(self, name: str) -> str:
        """The state of a gate; unknown without one of that name."""
        return next((one.state for one in self.gates if one.name == name), UNKNOWN)

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of the gates that do not hold."""
        return tuple(one.name for one in self.gates if one.state == FAILED)


# Columns of a table of claims: the fields of plain values.
COLUMNS = [one for one in Claim.__annotations__ if one not in ("rows", "facts", "what", "short")]


def number(value: Any) -> float:
    """A cell as a number, NaN where it is missing."""
    return math.nan if value is None or pd.isna(value) else float(value)


def as_table(claims: Iterable[Claim]) -> pd.DataFrame:
    """The columns `COLUMNS`, a row for each claim."""
    rows = [asdict(one) | {"gates": _gates_text(one.gates)} for one in claims]
    return pd.DataFrame(rows, columns=COLUMNS)


def _gates_text(gates: Sequence[Gate]) -> str:
    """'quality failed (-0.31, limit 0); controls passed'."""
    parts = []
    for one in gates:
        numbers = "" if math.isnan(one.value) else f" ({one.value:.3g}, limit {one.limit:.3g})"
        parts.append(f"{one.name} {one.state}{numbers}")
    return "; ".join(parts)


def plain(value: Any) -> Any:
    """A value, a claim or a page as JSON has it: None where a number is not known."""
    if is_dataclass(value):
        value = vars(value)
    elif hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    value = value.item() if hasattr(value, "item") else value
    unknown = value is pd.NA or (isinstance(value, float) and not math.isfinite(value))
    return None if unknown else value


def from_plain(data: Iterable[Mapping[str, Any]]) -> tuple[Claim, ...]:
    """Claims as `plain` gave them."""
    claims = []
    for one in data:
        gates = tuple(Gate(**with_numbers(gate, "value", "limit")) for gate in one["gates"])
        known = with_numbers(one, "value", "low", "high", "p_adjusted")
        claims.append(Claim(**known | {"gates": gates}))
    return tuple(claims)


def with_numbers(data: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Values as JSON has them, those of these names as numbers."""
    return {**data, **{name: number(data[name]) for name in names}}


@dataclass(frozen=True)
class Results:
    """The tables of a study and its settings: what every claim is made from.

    Attributes
    ----------
    frames : tables by name; any but "scores" may be missing. labels : of models, metrics, queries.
    vectors : model -> the name of its vectors. signed : the metrics whose value 0 means no
        association. of_others : the metrics that measure no words.
    readings : by metric, what its values say, see `Study.readings`.
    ability : by metric, the measure of a model's ability. own_metrics : those of the user's code.
    subject : the model that the study is about, "" where it is about all models.
    sets : query -> the names of its target sets and of its attribute sets.
    unspoken : model, its languages, number of queries by other languages, which it was not asked.
    further : what capabilities say of the study; "again": model whose associations are those of
        another one again -> that model.
    """

    frames: Mapping[str, pd.DataFrame]
    labels: Mapping[str, str]
    vectors: Mapping[str, str] = field(default_factory=dict)
    signed: Sequence[str] = ()
    of_others: Sequence[str] = ()
    readings: Mapping[str, Any] = field(default_factory=dict)
    ability: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    own_metrics: Sequence[str] = ()
    subject: str = ""
    sets: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=dict)
    unspoken: Sequence[tuple[str, Sequence[str], Mapping[str, int]]] = ()
    further: Mapping[str, Any] = field(default_factory=dict)

    def table(self, name: str) -> pd.DataFrame:
        """A table; an empty one without columns where the study does not have it."""
        return self.frames.get(name, pd.DataFrame())

    @property
    def again(self) -> Mapping[str, str]:
        """Model whose associations are those of another one again -> that model."""
        return self.further.get("again", {})

    @cached_property
    def every_headline(self) -> pd.DataFrame:
        """The headline scores, with those of control queries and failing models."""
        return ranked_rows(self.frames["scores"])

    @cached_property
    def headline(self) -> pd.DataFrame:
        """The headline scores that can be interpreted, each association once.

        A query may be in several criteria.
        """
        every = self.every_headline
        rows = readable(every[~every["model"].isin([*self.again])])
        return rows.drop_duplicates(["model", "metric", "query", "subquery"])

    @property
    def words(self) -> pd.DataFrame:
        """The headline scores by metrics of words."""
        return self.headline[~self.headline["metric"].isin([*self.of_others])]

    @property
    def others(self) -> pd.DataFrame:
        """The headline scores by other metrics."""
        return self.headline[self.headline["metric"].isin([*self.of_others])]

    def of(self, model: str) -> Results:
        """The same results as of one model alone."""
        scores = self.frames["scores"]
        return replace(self, frames={"scores": scores[scores["model"] == model]}, subject="")
