"""A corpus on disk: the words of all documents as numbers, and the fields of each document."""

from __future__ import annotations

import math
import pickle
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO

import numpy as np

from fairflow.corpora.documents import Document, Note, read_documents
from fairflow.corpora.preparation import words_of_texts
from fairflow.corpora.rows import check_field, decimal_year
from fairflow.errors import FairflowError
from fairflow.files.atomic import atomic_path, damaged, read_json, write_json

FILES = {
    "tokens": "tokens.npy",
    "documents": "documents.parquet",
    "vocabulary": "vocabulary.parquet",
    "card": "card.json",
}
# Tokens and documents that are in memory at a time.
_TOKENS, _DOCUMENTS = 1_000_000, 10_000
_EXAMPLES = 5
_FIELD = "field."


@dataclass(frozen=True)
class Corpus:
    """The documents of a corpus.

    Attributes
    ----------
    tokens : (tokens,) int32 numbers of words, one document after the other.
    bounds : (documents + 1,) int64: where each document begins, and the end of the last.
    words : by number, the most frequent first, equally frequent ones in the order of characters.
    fields : name -> the value of each document, "" where that is missing.
    dates : (documents,) in years, 1850.5 for the middle of 1850; NaN where there is no date.
    card : what `read_corpus` returned.
    """

    tokens: np.ndarray
    bounds: np.ndarray
    words: list[str]
    fields: Mapping[str, list[str]]
    dates: np.ndarray
    card: dict[str, Any]

    @classmethod
    def open(cls, paths: Mapping[str, str | Path]) -> Corpus:
        """A corpus that `read_corpus` wrote; tokens stay on the disk until they are used.

        Raises
        ------
        FairflowError : a file is damaged, or is not that of this card.
        """
        from fairflow.files.parquet import read_parquet

        card = read_json(paths["card"])
        lengths = read_parquet(paths["documents"], "list of documents", ["tokens", "year"])
        words = read_parquet(paths["vocabulary"], "vocabulary", ["word"])["word"].to_pylist()
        bounds = np.concatenate(([0], np.cumsum(lengths["tokens"].to_numpy(), dtype=np.int64)))
        try:
            tokens = np.load(paths["tokens"], mmap_mode="r")
            found = len(bounds) - 1, len(tokens), bounds[-1], len(words)
            if found != tuple(card[key] for key in ("documents", "tokens", "tokens", "words")):
                raise ValueError("it does not fit the card of the corpus")
        except ValueError as error:
            raise damaged(paths["tokens"], "file of tokens", error) from error
        fields = _Fields(paths["documents"], card["fields"])
        return cls(tokens, bounds, words, fields, lengths["year"].to_numpy(), card)


@dataclass(frozen=True)
class _Fields(Mapping[str, list[str]]):
    """Fields that are read when they are used; equal values share their memory."""

    path: str | Path
    names: list[str]

    def __getitem__(self, name: str) -> list[str]:
        from fairflow.files.parquet import read_parquet

        if name not in self.names:
            raise KeyError(name)
        column = read_parquet(self.path, "list of documents", [_FIELD + name])[0]
        coded = column.combine_chunks().dictionary_encode()
        values = coded.dictionary.to_pylist()
        return [values[code] for code in coded.indices.to_numpy()]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def read_corpus(
    path: str | Path, definition: Mapping[str, Any], paths: Mapping[str, str | Path]
) -> dict[str, Any]:
    """Read the texts at `path`, write the files of a corpus and return its card.

    Memory holds the vocabulary and a part of the documents. Equal texts give equal bytes.

    Parameters
    ----------
    path : a folder or file.
    definition : the keys of `read_documents`, and `preparation` (see `words_of_texts`).
    paths : a path for each key of `FILES`. The card is written last.

    Returns
    -------
    documents, tokens, words : their numbers. fields : names. date : the field of the date.
    first_date, last_date : as the documents have them; None without any. preparation : in full.
    notes : reason -> `number` of cases, and the first `examples`. Documents are kept but for those
    whose reason says that they are skipped.

    Raises
    ------
    FairflowError : a text cannot be read, or no document has a word. ConfigurationError : the
        definition cannot be used. Nothing is written.
    """
    with ExitStack() as stack:
        # Those that are opened first are put in place last.
        new = {key: stack.enter_context(atomic_path(paths[key])) for key in reversed(FILES)}
        folder = Path(paths["tokens"]).parent
        spools = (stack.enter_context(TemporaryFile(dir=folder)) for _ in range(2))
        reading = _Reading(definition, *spools)
        for found in read_documents(Path(path), definition):
            reading.add(found)
        if not reading.hashes:
            skipped = "; ".join(f"{why} ({n['number']:,})" for why, n in reading.notes.items())
            raise FairflowError(f"{path}: no document with a word was found. {skipped}")
        if reading.date is not None:
            check_field(reading.date, reading.fields, f"{path} (date)")
        card = reading.write(new)
        write_json(card, new["card"])
    return card


class _Reading:
    """What has been read of a corpus.

    Words have numbers in the order in which they appear, and documents are in a temporary file
    until the names of all fields are known.
    """

    def __init__(self, definition: Mapping[str, Any], tokens: BinaryIO, spool: BinaryIO) -> None:
        self.date, self.order = definition.get("date"), definition.get("date_order")
        self.preparation = {"lower": True, **definition.get("preparation", {})}
        self.words_of = words_of_texts(self.preparation)
        self.numbers: defaultdict[str, int] = defaultdict()
        self.numbers.default_factory = self.numbers.__len__
        self.tokens, self.spool = tokens, spool
        self.fields: dict[str, None] = {}
        self.hashes = array("q")
        self.notes: dict[str, dict[str, Any]] = defaultdict(lambda: {"number": 0, "examples": []})
        self.first: tuple[float, str | None] = (math.inf, None)
        self.last: tuple[float, str | None] = (-math.inf, None)

    def note(self, reason: str, example: str) -> None:
        """Count a reason, and keep the first examples."""
        self.notes[reason]["number"] += 1
        if len(self.notes[reason]["examples"]) < _EXAMPLES:
            self.notes[reason]["examples"].append(example)

    def add(self, found: Document | Note) -> None:
        """Add a document; one without a word is skipped."""
        if isinstance(found, Note):
            return self.note(*found)
        length = 0
        for words in self.words_of(found.text):
            array("i", map(self.numbers.__getitem__, words)).tofile(self.tokens)
            length += len(words)
        if not length:
            return self.note("Skipped, without a word", found.where)
        dated = found.fields.get(self.date, "") if self.date else ""
        year = decimal_year(dated, self.order)
        if not math.isnan(year):
            self.first, self.last = min(self.first, (year, dated)), max(self.last, (year, dated))
        elif self.date is not None:
            self.note("Kept, without a date", f"{found.where}: {dated[:40]!r}")
        self.fields.update(dict.fromkeys(found.fields))
        self.hashes.append(hash(found.text))
        row = {"where": found.where, "tokens": length, "year": year}
        row |= {_FIELD + name: value for name, value in found.fields.items()}
        return pickle.dump(row, self.spool)

    def write(self, paths: Mapping[str, Path]) -> dict[str, Any]:
        """Write all files but the card, and return that."""
        self._write_documents(paths["documents"])
        return {
            "documents": len(self.hashes),
            "tokens": self._write_words(paths["vocabulary"], paths["tokens"]),
            "words": len(self.numbers),
            "fields": list(self.fields),
            "date": self.date,
            "first_date": self.first[1],
            "last_date": self.last[1],
            "notes": self.notes,
            "preparation": self.preparation,
        }

    def _write_words(self, vocabulary: Path, tokens: Path) -> int:
        """Write the vocabulary, and the tokens as numbers in it; how many there are."""
        import pyarrow as pa

        from fairflow.files.parquet import write_parquet

        counts: Any = sum(np.bincount(part, minlength=len(self.numbers)) for part in self._parts())
        words = list(self.numbers)
        order = np.array(sorted(range(len(words)), key=words.__getitem__))
        order = order[np.argsort(-counts[order], kind="stable")]
        table = {"word": [words[n] for n in order], "count": counts[order]}
        write_parquet(pa.table(table), vocabulary)
        number = np.argsort(order).astype(np.int32)
        total = int(counts.sum())
        with open(tokens, "wb") as file:
            head = {"descr": "<i4", "fortran_order": False, "shape": (total,)}
            np.lib.format.write_array_header_1_0(file, head)
            for part in self._parts():
                number[part].tofile(file)
        return total

    def _parts(self) -> Iterator[np.ndarray]:
        """The tokens, some at a time."""
        self.tokens.seek(0)
        while len(part := np.fromfile(self.tokens, np.int32, _TOKENS)):
            yield part

    def _write_documents(self, path: Path) -> None:
        """Write the table of documents, and note repeated texts."""
        import pyarrow as pa

        from fairflow.files.parquet import parquet_parts

        hashes = np.frombuffer(self.hashes, np.int64)
        order = np.argsort(hashes, kind="stable")
        same = np.flatnonzero(hashes[order][1:] == hashes[order][:-1])
        # Each copy, and the same text before it.
        copies = np.stack([order[same + 1], order[same]], axis=1)
        shown = copies[np.argsort(copies[:, 0])][:_EXAMPLES].tolist()
        where = {number: "" for pair in shown for number in pair}
        columns = {"where": pa.string(), "tokens": pa.int64(), "year": pa.float64()}
        schema = pa.schema(columns | {_FIELD + name: pa.string() for name in self.fields})
        empty = dict.fromkeys(schema.names, "")
        self.spool.seek(0)
        with parquet_parts(path, schema) as add:
            for start in range(0, len(hashes), _DOCUMENTS):
                numbers = range(start, min(start + _DOCUMENTS, len(hashes)))
                rows = [empty | pickle.load(self.spool) for _ in numbers]
                add(pa.Table.from_pylist(rows, schema))
                where |= {
                    number: rows[number - start]["where"] for number in where.keys() & numbers
                }
        if shown:
            examples = [f"{where[copy]}, as {where[first]}" for copy, first in shown]
            reason = "Kept, with the text of another document"
            self.notes[reason] = {"number": len(copies), "examples": examples}
