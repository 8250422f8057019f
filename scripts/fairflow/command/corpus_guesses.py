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

from fairflow.corpora.corpus import Corpus
from fairflow.corpora.dates import decimal_year
from fairflow.corpora.documents import (
    Document,
    endings,
    is_table,
    opened_folder,
    read_documents,
    without_packing,
)
from fairflow.corpora.rows import codec, rows, value_text
from fairflow.corpora.subcorpora import plain_name
from fairflow.errors import FairflowError

TEXTS = ("text", "content", "body", "speech", "full_text")
DATES = ("date", "year", "published", "created_at", "month", "time", "decade")
# A column of texts has at least that many characters on average.
LEAST_TEXT = 40
# Rows or documents that a guess is made from.
SAMPLE = 500
YEARS = (1000, 2100)
DATE_IN_NAME = r"(?<!\d)(?P<date>(?:1[4-9]|20)\d\d(?:-(?:0[1-9]|1[0-2])(?:-[0-3]\d)?)?)(?!\d)"
# Divisions by date, in years of a subcorpus.
STEPS = {"years": 1, "decades": 10, "quarter_centuries": 25, "half_centuries": 50}
LEAST_DATED, LEAST_OF_VALUE, MOST_BY_DATE, MOST_VALUES = 20, 10, 12, 8


def guessed_definition(path: Path, given: Mapping[str, str]) -> dict[str, Any]:
    """The keys with which `read_documents` reads the texts at `path`.

    Parameters
    ----------
    given : those of text and encoding that are declared.

    Raises
    ------
    FairflowError : nothing could be a text; it says what there is.
    """
    found = {key: given[key] for key in ("text", "encoding") if key in given}
    encoding = codec(given.get("encoding", "utf-8"))
    with opened_folder(path, is_table) as (root, names):
        alone = path.is_file() and root == path.parent
        texts = [place for place in map(without_packing, names) if place.suffix.lower() == ".txt"]
        tables = [name for name in names if is_table(name) or (alone and not texts)]
        if joined := _joined(root, texts, tables, encoding):
            found["metadata"] = joined
        elif tables and len(texts) < 3:
            found.setdefault("text", _text_column(tables[0], _head(root, tables[0], encoding)))
            if not alone:
                pattern = f"**/*{without_packing(tables[0]).suffix}"
                found["texts"] = tables[0] if len(tables) == 1 else pattern
        elif not texts:
            advice = ". pdftotext FILE.pdf writes the text of a PDF to FILE.txt"
            raise FairflowError(
                f"{path} has no .txt files and no table (.csv, .tsv, .jsonl, .parquet); found "
                f"{endings(names)}" + advice * any(name.endswith(".pdf") for name in names)
            )
        elif all(re.search(DATE_IN_NAME, text.stem) for text in texts[:SAMPLE]):
            found["names"] = DATE_IN_NAME
    if date := _date(path, found):
        found["date"] = date
    return found


def _head(root: Path, name: str, encoding: str) -> list[dict[str, str]]:
    """The first rows of a table."""
    some = islice(rows(root / name, name, encoding), SAMPLE)
    return [{column: value_text(value) for column, value in row.items()} for _, row in some]


def _joined(
    root: Path, texts: Sequence[PurePosixPath], tables: Sequence[str], encoding: str
) -> dict[str, str] | None:
    """The table with a row for each text, and its column with their names."""
    known = {str(n) for p in texts for n in (p, p.with_suffix(""), p.name, p.stem)}
    for table in tables if texts else ():
        # It may be anything.
        with suppress(FairflowError):
            some = _head(root, table, encoding)
            for column in some[0] if some else ():
                if sum(row.get(column) in known for row in some) > len(some) / 2:
                    return {"file": table, "key": column}
    return None


def _text_column(table: str, head: Sequence[Mapping[str, str]]) -> str:
    """The column with the texts: by its name, or else the longest on average."""
    sizes = Counter()
    for row in head:
        sizes.update({column: len(text) / len(head) for column, text in row.items()})
    named = [column for column in sizes if column.lower() in TEXTS]
    if likely := named + [column for column, size in sizes.most_common(1) if size >= LEAST_TEXT]:
        return likely[0]
    raise FairflowError(
        f"{table}: no column is named text, and none has {LEAST_TEXT} characters on average; "
        f"found {', '.join(sizes) or 'no row'}. Name it with --text COLUMN"
    )


def _date(path: Path, definition: Mapping[str, Any]) -> str | None:
    """The field with the dates: by its name, or else the first whose values are dates."""
    some = islice(read_documents(path, definition), SAMPLE)
    fields = [one.fields for one in some if isinstance(one, Document)]
    pairs = (pair for of_one in fields for pair in of_one.items())
    numbers = Counter(name for name, value in pairs if YEARS[0] <= decimal_year(value) <= YEARS[1])
    likely = [name for name, number in numbers.items() if number > len(fields) / 2]
    named = [name for date in DATES for name in likely if name.lower() == date]
    return next(iter(named + likely), None)


def guessed_divisions(corpus: Corpus) -> dict[str, Any]:
    """Divisions by date and by each field with few values, as config/corpora.yaml has them.

    By date: the finest of `STEPS` with at most 12 subcorpora of at least 20 documents. The first
    and the last may be longer.
    """
    years = corpus.dates[~np.isnan(corpus.dates)]
    by_date = ((name, _limits(years, step)) for name, step in STEPS.items() if len(years))
    found: dict[str, Any] = dict([(n, {"date": limits}) for n, limits in by_date if limits][:1])
    for field, values in corpus.fields.items():
        numbers = Counter(filter(None, values))
        kept = sorted(value for value, number in numbers.items() if number >= LEAST_OF_VALUE)
        covered = sum(numbers[value] for value in kept) / len(values)
        distinct = len({plain_name(value) for value in kept}) == len(kept) > 1
        if distinct and len(kept) <= MOST_VALUES and covered > 0.5 and field.lower() not in DATES:
            found[plain_name(field)] = {"field": field, "values": kept}
    return found


def _limits(years: np.ndarray, step: int) -> list[int] | None:
    """Limits of ranges of that many years, the first and the last longer; None if none will do."""
    first, last = int(years.min()), int(years.max()) + 1
    limits = [first, *range((first // step + 1) * step, last, step), last]
    for end, inner in ((0, 1), (-1, -2)):
        if len(limits) > 2 and np.histogram(years, limits)[0][end] < LEAST_DATED:
            del limits[inner]
    numbers = np.histogram(years, limits)[0]
    return limits if 2 <= len(numbers) <= MOST_BY_DATE and numbers.min() >= LEAST_DATED else None
