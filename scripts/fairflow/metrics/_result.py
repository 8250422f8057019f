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
        return f"<{name} of {self.get('query_name')}: {', '.join([value, *texts])}>"

    def _repr_html_(self) -> str:
        """A small table for notebooks."""
        rows = [("query", self.get("query_name")), *self._shown()]
        return "<table>{}</table>".format(
            "".join(
                f'<tr><th style="{_STYLE}">{escape(label)}</th>'
                f'<td style="{_STYLE}">{escape(str(text))}</td></tr>'
                for label, text in rows
            )
        )

    def _shown(self) -> Iterator[tuple[str, str]]:
        """The label and text of each line to show, the value first."""
        measure = next((name for name in self._measures if _same(self, name)), None)
        named = "" if measure in (None, self._metric.lower()) else f" ({measure})"
        value = self.get("result", math.nan)
        undefined = isinstance(value, float) and math.isnan(value)
        yield f"{self._metric}{named}", "undefined" if undefined else _number(value)
        if undefined and self.get("reason"):
            yield "because", self["reason"]
        if not math.isnan(p_value := self.get("p_value", math.nan)):
            yield "p", _number(p_value)
        ends = self.get("intervals", {}).get(measure, {}).get("targets", (math.nan,))
        if not any(map(math.isnan, ends)):
            yield f"{self._level:.0%} interval", " to ".join(map(_number, ends))
        if "audit" in self:
            yield "words", _lost(self["audit"])


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
