"""Divisions of a corpus into subcorpora: by date, or by the values of a field."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import timedelta
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from fairflow.corpora.corpus import Corpus
from fairflow.corpora.dates import decimal_year, first_day
from fairflow.errors import ConfigurationError, FairflowError, nearest
from fairflow.files.checksums import identity_digest

_SHOWN = 12


class EmptySubcorpus(FairflowError, ValueError):
    """No document belongs to the subcorpus."""


class Subcorpus(NamedTuple):
    """A part of a corpus.

    Attributes
    ----------
    division : its name in the configuration; "" where the corpus has no division.
    name : of letters, digits and _ alone, such as 1850_1899 or parties_democratic.
    label : for readers, such as 1850-1899 (with a dash) or Democratic.
    position : the middle of its range in years; NaN where it is no range of dates.
    """

    division: str
    name: str
    label: str
    position: float


def subcorpora(divisions: Mapping[str, Any]) -> list[Subcorpus]:
    """The subcorpora of all divisions, found without the texts.

    Parameters
    ----------
    divisions : name -> {"date": limits in ascending order} or {"field": name, "values": a list of
        values, or label -> list of values}. A range begins at its first limit and ends before the
        next.

    Raises
    ------
    ConfigurationError : a limit is no date, limits are not ascending, or two subcorpora of a
        division have the same name.
    """
    return [subcorpus for subcorpus, _, _ in _parts(divisions)]


def documents_of(corpus: Corpus, divisions: Mapping[str, Any], name: str) -> np.ndarray:
    """Numbers of the documents of a subcorpus, int64, ascending.

    Raises
    ------
    EmptySubcorpus : no document belongs to it; the error says what the field has instead.
    FairflowError : the corpus has no such field. KeyError : no subcorpus has that name.
    """
    found = {part.name: (part, field, wanted) for part, field, wanted in _parts(divisions)}
    part, field, wanted = found[name]
    if field is not None and field not in corpus.fields:
        raise FairflowError(
            f"division {part.division}: the documents have no field {field!r}, but "
            f"{', '.join(corpus.fields) or 'none'}. {nearest(field, corpus.fields)}"
        )
    if not part.division:
        chosen = np.ones(len(corpus.bounds) - 1, bool)
    elif field is None:
        chosen = (corpus.dates >= wanted[0]) & (corpus.dates < wanted[1])
    else:
        chosen = np.array([value in wanted for value in corpus.fields[field]], bool)
    if not chosen.any():
        raise EmptySubcorpus(
            f"division {part.division}: {part.label} has no document: {_instead(corpus, field)}. "
            "Change the division in config/corpora.yaml"
        )
    return np.flatnonzero(chosen).astype(np.int64)


def _instead(corpus: Corpus, field: str | None) -> str:
    """What the documents have, in place of what a subcorpus asks for."""
    card = corpus.card
    if field is None and card["date"] is None:
        return "the corpus has no key date, which names the field with dates"
    if field is None and card["first_date"] is None:
        examples = "; ".join(card["undated"]["examples"])
        return "no document has a date" + (f" ({examples})" if examples else "")
    if field is None:
        return f"dates are from {card['first_date']} to {card['last_date']}"
    most = Counter(corpus.fields[field]).most_common(_SHOWN)
    values = ", ".join(f"{value!r} ({number:,})" for value, number in most)
    return f"the field {field!r} has the values {values}"


def _parts(divisions: Mapping[str, Any]) -> list[tuple[Subcorpus, str | None, Any]]:
    """Each subcorpus with its field (None for dates), and the limits or the set of its values."""
    if not divisions:
        return [(Subcorpus("", "all", "all documents", math.nan), None, None)]
    parts = [
        part
        for name, entry in divisions.items()
        for part in (_ranges(name, entry["date"]) if "date" in entry else _groups(name, entry))
    ]
    # Two divisions by date may have a range in common.
    times = Counter(part.name for part, _, _ in parts)
    parts = [
        (part._replace(name=f"{part.division}_{part.name}"), None, wanted)
        if times[part.name] > 1 and field is None
        else (part, field, wanted)
        for part, field, wanted in parts
    ]
    names = [part.name for part, _, _ in parts]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ConfigurationError(
            [f"two subcorpora would have the name {name}: give them other labels" for name in twice]
        )
    return parts


def _ranges(division: str, limits: list[Any]) -> Iterator[tuple[Subcorpus, None, Any]]:
    texts = [str(limit) for limit in limits]
    years = [decimal_year(text) for text in texts]
    if wrong := [text for text, year in zip(texts, years, strict=True) if math.isnan(year)]:
        problem = f"{wrong[0]!r} is no date; expected a year, 1853-12 or 1853-12-05"
    elif len(years) < 2 or any(a >= b for a, b in pairwise(years)):
        problem = f"the limits {', '.join(texts)} are not two or more in ascending order"
    else:
        for (a, start), (b, end) in pairwise(zip(texts, years, strict=True)):
            name, label = _named(a, b, start, end)
            yield Subcorpus(division, name, label, (start + end) / 2), None, (start, end)
        return
    raise ConfigurationError([f"division {division}: {problem}"])


def _named(a: str, b: str, start: float, end: float) -> tuple[str, str]:
    """Name and label of a range, with its last year or day in place of the limit that ends it."""
    if start == int(start) and end == int(end):
        first, last = str(int(start)), str(int(end) - 1)
    else:
        first, last = str(first_day(a)), str(first_day(b) - timedelta(days=1))
    both = [first] if first == last else [first, last]
    return re.sub(r"\W", "_", "_".join(both)), "–".join(both)  # noqa: RUF001


def _groups(division: str, entry: Mapping[str, Any]) -> Iterator[tuple[Subcorpus, str, Any]]:
    values = entry["values"]
    labelled = values if isinstance(values, Mapping) else {str(value): [value] for value in values}
    for label, wanted in labelled.items():
        name = re.sub(r"[^a-z0-9]+", "_", str(label).lower()).strip("_")
        # Of a label without a Latin letter or digit nothing would be left.
        name = name or identity_digest(label).hex()[:8]
        part = Subcorpus(division, f"{division}_{name}", str(label), math.nan)
        yield part, entry["field"], {str(value) for value in wanted}
