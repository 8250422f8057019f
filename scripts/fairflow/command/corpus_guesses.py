"""Guesses about texts that nobody has described: files, columns, dates and divisions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pandas as pd

from fairflow.corpora.corpus import Corpus
from fairflow.corpora.dates import ORDERS, decimal_year
from fairflow.corpora.documents import (
    MISSING,
    Document,
    endings,
    is_table,
    opened_folder,
    read_documents,
    remedies,
    without_packing,
)
from fairflow.corpora.rows import rows, value_text
from fairflow.corpora.subcorpora import plain_name
from fairflow.errors import FairflowError

TEXTS = ("text", "texts", "content", "body", "speech", "full_text")
DATES = ("date", "year", "published", "created_at", "month", "time", "decade")
# Of who wrote or spoke a document.
AUTHORS = ("author", "writer", "speaker", "president")
# A column of texts has at least that many characters on average.
LEAST_TEXT = 40
# Rows or documents that a guess is made from.
SAMPLE = 500
YEARS = (1000, 2100)
DATE_IN_NAME = r"(?<!\d)(?P<date>(?:1[4-9]|20)\d\d(?:-(?:0[1-9]|1[0-2])(?:-[0-3]\d)?)?)(?!\d)"
# A number or a date, which is the name of no column.
NUMBERS = r"[-+]?\d+(?:[-./:]\d+)*"
# Divisions by date, in years of a subcorpus.
STEPS = {"years": 1, "decades": 10, "quarter_centuries": 25, "half_centuries": 50}
LEAST_DATED, LEAST_OF_VALUE, MOST_BY_DATE, MOST_VALUES = 20, 10, 12, 8


def guessed_definition(path: Path, given: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """The keys with which `read_documents` reads the texts at `path`, and what else they could be.

    Parameters
    ----------
    given : those of text and encoding that are declared.

    Raises
    ------
    FairflowError : nothing could be a text; it says what there is. A table has no line of names.
    """
    told: list[str] = []
    found = {key: given[key] for key in ("text", "encoding") if key in given}
    encoding = given.get("encoding", "utf-8")
    with opened_folder(path, is_table) as (root, names):
        alone = path.is_file() and root == path.parent
        texts = [place for place in map(without_packing, names) if place.suffix.lower() == ".txt"]
        tables = [name for name in names if is_table(name) or (alone and not texts)]
        if joined := _joined(root, texts, tables, encoding):
            found["metadata"] = joined
        elif tables and len(texts) < 3:
            head, quotes = _quoted_head(root, tables[0], encoding)
            if quotes is False:
                found["quotes"] = quotes
                told.append("quotes: false, because quotes that enclose fields give no table")
            if "text" not in given:
                found["text"], others = _text_column(tables[0], head)
                told += others
            if not alone:
                pattern = f"**/*{without_packing(tables[0]).suffix}"
                found["texts"] = tables[0] if len(tables) == 1 else pattern
        elif not texts:
            raise FairflowError(
                f"{path} has no .txt files and no table (.csv, .tsv, .jsonl, .parquet); found "
                f"{endings(names)}{remedies(names)}"
            )
        else:
            some = [(p.stem, re.findall(DATE_IN_NAME, p.stem)) for p in texts[:SAMPLE]]
            if 2 * sum(bool(dates) for _, dates in some) > len(some):
                found["names"] = DATE_IN_NAME
                for stem, (first, *_, last) in [pair for pair in some if len(pair[1]) > 1][:1]:
                    told.append(f"the date of {stem} is {first}; {last} by '.*{DATE_IN_NAME}'")
    date, others = _date(path, found)
    return found | date, told + others


def _head(root: Path, name: str, encoding: str, quotes: bool | None = None) -> pd.DataFrame:
    """The first rows of a table, as texts."""
    some = islice(rows(root / name, name, encoding, quotes), SAMPLE)
    texts = ({key: value_text(value) for key, value in row.items()} for _, row in some)
    return pd.DataFrame([*texts]).fillna("")


def _quoted_head(root: Path, name: str, encoding: str) -> tuple[pd.DataFrame, bool | None]:
    """The first rows of a table, and False if quotes enclose no fields."""
    try:
        return _head(root, name, encoding), None
    except FairflowError:
        with suppress(FairflowError):
            return _head(root, name, encoding, False), False
        raise


def _joined(
    root: Path, texts: Sequence[PurePosixPath], tables: Sequence[str], encoding: str
) -> dict[str, str] | None:
    """The table with a row for each text, and its column with their names."""
    known = {str(n) for p in texts for n in (p, p.with_suffix(""), p.name, p.stem)}
    for table in tables if texts else ():
        # It may be anything.
        with suppress(FairflowError):
            shares = _head(root, table, encoding).isin(known).mean()
            if shares.max() > 0.5:
                return {"file": table, "key": shares.idxmax()}
    return None


def _text_column(table: str, head: pd.DataFrame) -> tuple[str, list[str]]:
    """The column with the texts: by its name, or else the one whose texts usually are the longest.

    Also: a sentence on other columns that could be it.
    """
    sizes = head.map(len).mean()
    named = [column for column in sizes.index if column.lower() in TEXTS]
    usual = head.map(len).median()[sizes >= LEAST_TEXT]
    likely = [*dict.fromkeys([*named, *usual.sort_values(ascending=False, kind="stable").index])]
    if not likely:
        raise FairflowError(
            f"{table}: no column is named text, and none has {LEAST_TEXT} characters on average; "
            f"found {', '.join(sizes.index) or 'no row'}. Name it with --text COLUMN"
        )
    unlike = [one for one in head if len(one) >= LEAST_TEXT or re.fullmatch(NUMBERS, one)]
    if unlike and without_packing(table).suffix.lower() in (".csv", ".tsv", ".txt"):
        told = "names no column, it seems. Put a line of names above, or say --text COLUMN"
        raise FairflowError(f"{table}, line 1: {unlike[0][:LEAST_TEXT]!r} {told}")
    others = f"text: {likely[0]}; long texts are also in {', '.join(likely[1:])} (--text COLUMN)"
    return likely[0], [others] if likely[1:] else []


def _date(path: Path, definition: Mapping[str, Any]) -> tuple[dict[str, str], list[str]]:
    """Keys for the dates: of a field by its name, or else of the first whose values are dates.

    Also: sentences on other fields, and on the order of day and month.
    """
    some = islice(read_documents(path, definition), SAMPLE)
    fields = pd.DataFrame([one.fields for one in some if isinstance(one, Document)]).fillna("")

    def dated(order: str | None) -> pd.DataFrame:
        return fields.map(lambda value: YEARS[0] <= decimal_year(value, order) <= YEARS[1])

    def likely(shares: pd.Series) -> list[str]:
        found = [*shares[shares > 0.5].index]
        named = [name for date in DATES for name in found if name.lower() == date]
        return [*dict.fromkeys(named + found)]

    if found := likely(dated(None).mean()):
        others = f"date: {found[0]}; {', '.join(found[1:])} holds dates, too"
        return {"date": found[0]}, [others] if found[1:] else []
    days, months = (dated(order) for order in ORDERS)
    for field in likely(np.maximum(days.mean(), months.mean())):
        decisive = fields[field][days[field] != months[field]]
        example = [*decisive, *fields[field][days[field]]][0]
        if decisive.empty:
            told = "in one of two orders: write date and date_order (day first, month first)"
            return {}, [f"{field} holds dates such as {example} {told}"]
        order = [*ORDERS][int(days[field].sum() < months[field].sum())]
        return {"date": field, "date_order": order}, [f"date_order: {order}, as in {example}"]
    return {}, []


def guessed_divisions(corpus: Corpus) -> dict[str, Any]:
    """Divisions by date and by each field with few values, as config/corpora.yaml has them.

    By date: the finest of `STEPS` with at most 12 subcorpora of at least 20 documents. The first
    and the last may be longer.
    """
    years = corpus.dates[~np.isnan(corpus.dates)]
    by_date = ((name, _limits(years, step)) for name, step in STEPS.items() if len(years))
    found: dict[str, Any] = dict([(n, {"date": limits}) for n, limits in by_date if limits][:1])
    for field, values in corpus.fields.items():
        numbers = Counter(value for value in values if value and value not in MISSING)
        kept = sorted(value for value, number in numbers.items() if number >= LEAST_OF_VALUE)
        covered = sum(numbers[value] for value in kept) / len(values)
        distinct = len({plain_name(value) for value in kept}) == len(kept) > 1
        if distinct and len(kept) <= MOST_VALUES and covered > 0.5 and field.lower() not in DATES:
            found[plain_name(field)] = {"field": field, "values": kept}
    return found


def guessed_cluster(corpus: Corpus, divisions: Mapping[str, Any]) -> tuple[str, str] | None:
    """The field with the authors of documents, and a sentence; None without such a field.

    Or if each document has its own author, or authors are what is compared.
    """
    for field in sorted((one for one in corpus.fields if one.lower() in AUTHORS), key=str.lower):
        known = [value for value in corpus.fields[field] if value and value not in MISSING]
        compared = field in (division.get("field") for division in divisions.values())
        if 1 < len({*known}) < len(known) and not compared:
            told = (
                f"cluster: {field}; its {len({*known}):,} values are drawn with all their documents"
            )
            return field, f"{told}. Without this key documents are taken as independent"
    return None


def _limits(years: np.ndarray, step: int) -> list[int] | None:
    """Limits of ranges of that many years, the first and the last longer; None if none will do."""
    first, last = int(years.min()), int(years.max()) + 1
    limits = [first, *range((first // step + 1) * step, last, step), last]
    for end, inner in ((0, 1), (-1, -2)):
        if len(limits) > 2 and np.histogram(years, limits)[0][end] < LEAST_DATED:
            del limits[inner]
    numbers = np.histogram(years, limits)[0]
    return limits if 2 <= len(numbers) <= MOST_BY_DATE and numbers.min() >= LEAST_DATED else None
