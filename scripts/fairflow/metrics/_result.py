"""The result of a query: a dictionary that prints in one line, and as a table in notebooks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

_STYLE = "text-align:left;vertical-align:top"


class Result(dict[str, Any]):
    """A result dictionary that prints its value, p-value, interval and lost words in one line.

    `dict(result)` prints all entries.

    Parameters
    ----------
    entries : the entries of the dictionary. metric : short name of the metric.
    measures : names of the entries that are measures. level : confidence level of the intervals.
    """

    def __init__(
        self,
        entries: Mapping[str, Any],
        metric: str = "",
        measures: Sequence[str] = (),
        level: float = math.nan,
    ) -> None:
        super().__init__(entries)
        self._metric, self._measures, self._level = metric, tuple(measures), level

    def __repr__(self) -> str:
        (name, value), *others = self._shown()
        texts = [text if label == "words" else f"{label} {text}" for label, text in others]
        named = "" if name == self._metric else f" {name}"
        return f"<{self._metric} of {self.get('query_name')}:{named} {', '.join([value, *texts])}>"

    def _repr_html_(self) -> str:
        """A small table for notebooks."""
        first, *others = ((escape(label), escape(text)) for label, text in self._shown())
        rows = [(first[0], f"<b>{first[1]}</b>"), *others]
        rows.append(("query", escape(str(self.get("query_name")))))
        cells = (f'<th style="{_STYLE}">{a}</th><td style="{_STYLE}">{b}</td>' for a, b in rows)
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"

    def _shown(self) -> Iterator[tuple[str, str]]:
        """The label and text of each line to show: the effect size first, if there is one."""
        value = self.get("result", math.nan)
        result = next((name for name in self._measures if _same(self, name)), None)
        sizes = [name for name in self._measures if name.startswith("effect_size")]
        first = result if result in sizes or not sizes else sizes[0]
        label = self._metric if first in (None, self._metric.lower()) else first.replace("_", " ")
        shown = value if first is None else self[first]
        if isinstance(shown, float) and math.isnan(shown):
            yield label, "undefined"
            if self.get("reason"):
                yield "because", self["reason"]
        else:
            yield label, f"{_number(shown)}{self._interval(first)}"
        if not math.isnan(p_value := self.get("p_value", math.nan)):
            yield "p", _number(p_value)
        if result != first:
            yield result or "result", f"{_number(value)}{self._interval(result)}"
        if "audit" in self:
            yield "words", _lost(self["audit"])

    def _interval(self, measure: str | None) -> str:
        ends = self.get("intervals", {}).get(measure, {}).get("targets", (math.nan,))
        if any(map(math.isnan, ends)):
            return ""
        return f" ({self._level:.0%} interval {' to '.join(map(_number, ends))})"


def _same(result: Mapping[str, Any], name: str) -> bool:
    """Whether a measure equals the entry "result"."""
    value, shown = result[name], result["result"]
    return value == shown or (value != value and shown != shown)


def _number(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _lost(audit: Sequence[Mapping[str, Any]]) -> str:
    lost = [word for account in audit for word in account["lost"]]
    asked = sum(len(account["words"]) for account in audit)
    shown = ", ".join(lost[:5]) + (", ..." if len(lost) > 5 else "")
    return f"{len(lost)} of {asked} words lost" + (f" ({shown})" if lost else "")
