"""Guesses about texts that nobody has described: files, columns, dates and divisions."""

from __future__ import annotations

import os
import re
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from fairflow.corpora.corpus import Corpus
from fairflow.corpora.dates import decimal_year
from fairflow.corpora.documents import Document, read_documents
from fairflow.corpora.rows import codec, kind_of, kind_of_content, rows, value_text, without_packing
from fairflow.corpora.subcorpora import subcorpora
from fairflow.errors import ConfigurationError, FairflowError
from fairflow.files.packed_files import names_in, unpack_folder

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


def guessed_definition(path: Path, given: Mapping[str, str]) -> tuple[dict[str, Any], str]:
    """The keys with which `read_documents` reads the texts at `path`, and a sentence on them.

    Parameters
    ----------
    given : those of text, date, names, encoding, metadata and key that are declared.

    Raises
    ------
    FairflowError : nothing could be a text; it says what there is.
    """
    found = {key: given[key] for key in ("names", "encoding", "text") if key in given}
    with _unpacked(path, found) as (root, names):
        alone = path.is_file() and "archive" not in found
        texts = [without_packing(name) for name in names if kind_of(name) == "text" and not alone]
        tables = [name for name in names if alone or _is_table(name)]
        head = partial(_head, root, codec(found.get("encoding", "utf-8")))
        if joined := _joined(path, texts, tables, head, given):
            found["metadata"] = joined
            said = f"Fields: {joined['file']}, joined by its column {joined['key']}"
        elif tables and len(texts) < 3:
            found.setdefault("text", _text_column(tables[0], head(tables[0])))
            pattern = f"**/*{without_packing(tables[0]).suffix}"
            found |= {} if alone else {"texts": tables[0] if len(tables) == 1 else pattern}
            said = f"Texts: the column {found['text']}"
        elif texts:
            said = f"Texts: {len(texts):,} files such as {texts[0]}"
            if all(re.search(DATE_IN_NAME, text.stem) for text in texts[:SAMPLE]):
                found.setdefault("names", DATE_IN_NAME)
                said += ", whose names have the date"
        else:
            raise FairflowError(_no_texts(path, names))
    if date := given.get("date") or _date(path, found):
        return found | {"date": date}, f"{said}\nDates: the field {date}"
    return found, f"{said}\nDates: none; a date is written as 1853, 1853-12 or 1853-12-05"


@contextmanager
def _unpacked(path: Path, found: dict[str, Any]) -> Iterator[tuple[Path, list[str]]]:
    """A folder with the tables of a folder, file or archive, and the names of all files."""
    if path.is_dir():
        yield path, sorted(p.relative_to(path).as_posix() for p in path.rglob("*") if p.is_file())
    elif not path.is_file():
        raise FairflowError(f"No such file or folder: {path}")
    elif zipfile.is_zipfile(path) or tarfile.is_tarfile(path):
        found["archive"] = "zip" if zipfile.is_zipfile(path) else "tar"
        with TemporaryDirectory() as folder:
            unpack_folder(path, found["archive"], "", _is_table, Path(folder))
            yield Path(folder), sorted(names_in(path, found["archive"]))
    else:
        yield path.parent, [path.name]


def _is_table(name: PurePosixPath | str) -> bool:
    return kind_of(str(name)) in ("csv", "jsonl", "parquet")


def _head(root: Path, encoding: str, name: str) -> list[dict[str, str]]:
    """The first rows of a table."""
    kind = kind_of(name) or kind_of_content(root / name)
    found = islice(rows(root / name, name, kind, encoding), SAMPLE)
    return [{column: value_text(value) for column, value in row.items()} for _, row in found]


def _joined(
    path: Path,
    texts: Sequence[PurePosixPath],
    tables: Sequence[str],
    head: Callable[[str], list[dict[str, str]]],
    given: Mapping[str, str],
) -> dict[str, str] | None:
    """The table with a row for each text, and its column with their names."""
    known = {str(n) for p in texts for n in (p, p.with_suffix(""), p.name, p.stem)}
    file, key = given.get("metadata"), given.get("key")
    if file and file not in tables:
        file = os.path.relpath(file, path)
    for table in (name for name in tables if texts and file in (None, name)):
        # A table that nobody has named may be anything.
        with suppress(FairflowError, IndexError):
            some = head(table)
            for column in [key] if key else some[0]:
                if sum(row.get(column) in known for row in some) > len(some) / 2:
                    return {"file": table, "key": column}
    if file:
        raise FairflowError(
            f"--metadata: {path} has no table {file} with the names of the texts, such as "
            f"{texts[0].stem if texts else 'a'}, in a column. Put it there, or use --key COLUMN"
        )
    return None


def _no_texts(path: Path, names: Sequence[str]) -> str:
    endings = Counter(PurePosixPath(name).suffix or "without ending" for name in names)
    there = ", ".join(f"{n:,} {ending}" for ending, n in endings.most_common(5)) or "no file"
    pdf = ". pdftotext FILE.pdf writes the text of a PDF to FILE.txt" * (".pdf" in endings)
    return (
        f"{path} has no .txt files and no table (.csv, .tsv, .jsonl, .parquet); found {there}{pdf}"
    )


def _text_column(table: str, head: Sequence[Mapping[str, str]]) -> str:
    """The column with the texts: by its name, or else the longest on average."""
    if not head:
        raise FairflowError(f"{table} has no row below its first line")
    sizes = {name: sum(len(row.get(name, "")) for row in head) / len(head) for name in head[0]}
    longest = [name for name, size in sizes.items() if size == max(LEAST_TEXT, *sizes.values())]
    if likely := [name for name in sizes if name.lower() in TEXTS] + longest:
        return likely[0]
    raise FairflowError(
        f"{table}: no column is named text, and none has {LEAST_TEXT} characters on average; "
        f"found {', '.join(sizes)}. Name it with --text COLUMN"
    )


def _date(path: Path, definition: Mapping[str, Any]) -> str | None:
    """The field with the dates: by its name, or else the first whose values are dates."""
    some = islice(read_documents(path, definition), SAMPLE)
    fields = [one.fields for one in some if isinstance(one, Document)]
    numbers = Counter(
        name
        for of_one in fields
        for name, value in of_one.items()
        if YEARS[0] <= decimal_year(value) <= YEARS[1]
    )
    likely = [name for name, number in numbers.items() if number > len(fields) / 2]
    named = [name for date in DATES for name in likely if name.lower() == date]
    return next(iter([*named, *likely]), None)


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
        if 2 <= len(kept) <= MOST_VALUES and covered > 0.5 and field.lower() not in DATES:
            division = {plain_name(field): {"field": field, "values": kept}}
            # Values that differ in signs alone would have one name.
            with suppress(ConfigurationError):
                found |= division if subcorpora(division) else {}
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


def plain_name(name: str) -> str:
    """A name of Latin letters, digits and _ alone."""
    return re.sub(r"\W+", "_", name.lower(), flags=re.ASCII).strip("_")[:40] or "texts"
