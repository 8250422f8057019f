"""Dates of documents: a year, a year and month, an ISO date, or one in a declared order."""

from __future__ import annotations

import math
import re
from calendar import isleap
from datetime import date

# What may follow: the time of the day, or the .0 of a year that was stored as a number. 05-12-20
# may be three days.
_DATE = re.compile(r"(\d{1,4}(?!-)|\d{4})(?:-(\d\d?)(?:-(\d\d?)(?:[T ].*)?)?|\.0+)?", re.ASCII)
_YEAR_LAST = re.compile(r"(\d\d?)([-/.])(\d\d?)\2(\d{4})(?:[T ].*)?", re.ASCII)
# Which of the first two numbers of a date with the year last is the month, and the day.
ORDERS = {"day first": (3, 1), "month first": (1, 3)}


def first_day(text: str, order: str | None = None) -> date | None:
    """The day, or the first day of the month or year; None for what is no date.

    Parameters
    ----------
    order : one of `ORDERS`, by which 05/12/1920 is a date, too.
    """
    text = text.strip()
    found = _YEAR_LAST.fullmatch(text) if order else None
    places, found = ((4, *ORDERS[order]), found) if found else ((1, 2, 3), _DATE.fullmatch(text))
    try:
        return found and date(*(int(part or 1) for part in found.group(*places)))
    except ValueError:
        return None


def decimal_year(text: str, order: str | None = None) -> float:
    """The date in years, 1850.5 for the middle of 1850; NaN for what is no date."""
    day = first_day(text, order)
    if day is None:
        return math.nan
    return day.year + (day.timetuple().tm_yday - 1) / (365 + isleap(day.year))
