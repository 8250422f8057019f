"""Dates of documents: a year, a year and month, or an ISO date."""

from __future__ import annotations

import math
import re
from calendar import isleap
from datetime import date

# What may follow: the time of the day, or the .0 of a year that was stored as a number.
_DATE = re.compile(r"\s*(\d{1,4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[T ].*)?)?|\.0+)?\s*", re.ASCII)


def first_day(text: str) -> date | None:
    """The day, or the first day of the month or year; None for what is no date."""
    found = _DATE.fullmatch(text)
    try:
        return found and date(*(int(part or 1) for part in found.groups()))
    except ValueError:
        return None


def decimal_year(text: str) -> float:
    """The date in years, 1850.5 for the middle of 1850; NaN for what is no date."""
    day = first_day(text)
    if day is None:
        return math.nan
    return day.year + (day.timetuple().tm_yday - 1) / (365 + isleap(day.year))
