"""Rules on the numbers of an audit, for `fairflow audit --fail-if RULE`.

WEAT effect size on Gender > 0.8     the mean of absolute scores of a criterion
WEAT effect size on weat_6 >= 1      the absolute score of a query
significant > 10                     a count: significant, tests, not measured
quality < 0.5                        the correlation with human ratings of similarity
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from fairflow.errors import FairflowError

COMPARED: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
COUNTS = ("significant", "tests", "not measured", "quality")
_RULE = re.compile(
    r"\s*(?P<what>[^<>=]+?)\s*(?P<sign>>=|<=|>|<)\s*(?P<limit>-?(?:\d+\.?\d*|\.\d+))\s*"
)


@dataclass(frozen=True)
class Rule:
    """A rule; the audit fails if it holds.

    Attributes
    ----------
    text : as it was written. metric : its name or label, or one of `COUNTS`.
    where : the criterion or query, "" for a count. sign, limit : what the value is compared with.
    """

    text: str
    metric: str
    where: str
    sign: str
    limit: float

    def holds(self, value: float) -> bool:
        """Whether the audit fails."""
        return COMPARED[self.sign](value, self.limit)


def parsed(text: str) -> Rule:
    """A rule from its text.

    Raises
    ------
    FairflowError : it is no rule.
    """
    found = _RULE.fullmatch(text)
    if found is None:
        raise FairflowError(
            f"--fail-if {text!r}: expected MEASURE > NUMBER (or >=, <, <=), for example "
            "'WEAT effect size on Gender > 0.8' or 'significant > 10'"
        )
    metric, _, where = found["what"].rpartition(" on ")
    metric, where = (metric.strip(), where.strip()) if metric else (where.strip(), "")
    if not where and _plain(metric) not in map(_plain, COUNTS):
        raise FairflowError(
            f"--fail-if {text!r}: say where a metric is measured ('{metric} on Gender > 0.8'), or "
            f"name one of {', '.join(COUNTS)}"
        )
    return Rule(text, metric, where, found["sign"], float(found["limit"]))


def check_metrics(rules: Iterable[Rule], metrics: Mapping[str, str]) -> None:
    """Refuse rules on metrics that an audit does not have.

    Parameters
    ----------
    metrics : of the audit: name -> label.

    Raises
    ------
    FairflowError : a rule names another metric.
    """
    known = {_plain(name) for names in metrics.items() for name in names}
    for rule in rules:
        if rule.where and _plain(rule.metric) not in known:
            raise FairflowError(_unknown(rule, "metric", rule.metric, metrics.values()))


def decided(
    rules: Iterable[Rule], data: Mapping[str, Any]
) -> tuple[list[str], list[FairflowError]]:
    """A sentence for each rule that holds, and an error for each that cannot be decided.

    Parameters
    ----------
    data : the summary of an audit, see `fairflow.studies.audit_results.audit_summary`.
    """
    holds, undecided = [], []
    for rule in rules:
        try:
            if rule.holds(value := value_of(rule, data)):
                holds.append(f"{rule.text}: it is {value:.3g}")
        except FairflowError as error:
            undecided.append(error)
    return holds, undecided


def value_of(rule: Rule, data: Mapping[str, Any]) -> float:
    """The number that a rule is about.

    Raises
    ------
    FairflowError : the audit has no such number, or nothing can be read from it.
    """
    if not rule.where:
        name = next(name for name in COUNTS if _plain(name) == _plain(rule.metric))
        why = "it was not measured"
        if name == "significant":
            why = f"nothing was tested (sanity checks: {data['control']})"
        return _measured(rule, data["counts"][name], why)
    rows = [row for row in data["values"] if _plain(rule.metric) in _names(row, "metric")]
    if not rows:
        known = {row["metric_label"] for row in data["values"]}
        raise FairflowError(_unknown(rule, "metric", rule.metric, known))
    places = [row for row in rows if _plain(rule.where) in _names(row, "where")]
    if not places:
        known = {row["where"] for row in rows}
        raise FairflowError(_unknown(rule, "criterion or query", rule.where, known))
    row = places[0]
    return _measured(rule, row["value"], row["note"] or "it has no value")


def _measured(rule: Rule, value: float | None, why: str) -> float:
    if value is None:
        raise FairflowError(f"--fail-if {rule.text!r} cannot be decided: {why}")
    return float(value)


def _unknown(rule: Rule, what: str, name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    near = get_close_matches(name, names, n=3, cutoff=0.4) or names[:8]
    return f"--fail-if {rule.text!r}: the audit has no {what} {name!r}. It has {', '.join(near)}"


def _names(row: Mapping[str, Any], key: str) -> set[str]:
    return {_plain(row[key]), _plain(row[f"{key}_label"])}


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", " ", name.casefold()).strip()
