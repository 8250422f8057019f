"""Numbers, names and reasons in sentences."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# What Markdown would read as its own: cells of tables, HTML, links.
_MARKUP = str.maketrans({"\\": "\\\\", "|": "\\|", "\n": " ", "\r": " ", "<": "&lt;"})
# Words of a list that a shortened reason still shows.
FEW_WORDS = 5
_LONG_LIST = re.compile(rf"(?<=: )(?:[^,;:()]+, ){{{FEW_WORDS},}}[^,;:()]+")
_LIMIT = re.compile(r", more than the allowed share of ([\d.]*\d)")


def counted(number: int, one: str, several: str | None = None) -> str:
    """'1 model', '2 models'."""
    return f"{number} {one if number == 1 else several or one + 's'}"


def listed(names: Iterable[str]) -> str:
    """'a, b and c'; empty without names."""
    items = list(names)
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]])) if items else ""


def listed_briefly(names: Sequence[str], most: int = FEW_WORDS) -> str:
    """'a, b and 7 more'."""
    if len(names) <= most:
        return listed(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"


def plain_markdown(text: str) -> str:
    """A label or sentence for Markdown, on one line and without markup."""
    return text.translate(_MARKUP).replace("](", "]\\(")


def facts_table(facts: Mapping[str, str]) -> list[str]:
    """The lines of a Markdown table of names and values, without those that are not known."""
    rows = [f"| {name} | {plain_markdown(value)} |" for name, value in facts.items() if value]
    return ["| | |", "| --- | --- |", *rows]


def with_interval(value: float, low: float, high: float, *, more: int = 0) -> str:
    """'+1.8 [1.5, 2.0]', with as many decimals as its width bears; "?" where it is not known.

    Parameters
    ----------
    more : decimals.
    """
    if math.isnan(value):
        return "?"
    if math.isnan(low) or math.isnan(high):
        return f"{value:+.2g}"
    width = high - low
    decimals = more + (min(3, max(1, -math.floor(math.log10(width)))) if width > 0 else 2)
    value, low, high = (round(one, decimals) + 0.0 for one in (value, low, high))
    return f"{value:+.{decimals}f} [{low:.{decimals}f}, {high:.{decimals}f}]"


def short_number(value: float) -> str:
    """Three significant digits: '51.7', '1230'; "?" where it is not known."""
    return f"{float(f'{value:.3g}'):.9g}" if math.isfinite(value) else "?"


def bare_decimal(value: float) -> str:
    """'.58', '-.21', '1.00': of a number between -1 and 1, without the 0 before the point."""
    return f"{round(value, 2) + 0.0:.2f}".replace("0.", ".", 1)


def interval_text(row: Mapping[str, Any], shift: float = 0) -> str:
    """'95% interval 51.4 to 83.9'; "" without."""
    low, high, level = row["ci_low"], row["ci_high"], row["ci_level"]
    if math.isnan(low) or math.isnan(high):
        return ""
    percent = "" if math.isnan(level) else f"{100 * level:g}% "
    return f"{percent}interval {short_number(low + shift)} to {short_number(high + shift)}"


def shortened(reason: str) -> str:
    """A reason without long lists of words, which the study's table has.

    The allowed share is left out too, as `allowed_loss` names it once.
    """
    text = re.sub(r"(lost \d+ of \d+ words) \(([^()]*)\)", _without_long_list, reason.strip())
    return _LONG_LIST.sub(_first_words, _LIMIT.sub("", text))


def allowed_loss(reasons: Iterable[object]) -> str:
    """A sentence on the share of words that a set may lose; empty where no reason names one."""
    shares = {s for reason in reasons if isinstance(reason, str) for s in _LIMIT.findall(reason)}
    limits = " or ".join(sorted(shares))
    return (
        f"Undefined where a set lost more than a share of {limits} of its words." if shares else ""
    )


def _without_long_list(loss: re.Match[str]) -> str:
    return loss[0] if loss[2].count(", ") < FEW_WORDS else loss[1]


def _first_words(found: re.Match[str]) -> str:
    words = found[0].split(", ")
    return f"{', '.join(words[:FEW_WORDS])} and {len(words) - FEW_WORDS} more"
