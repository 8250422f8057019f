"""A corpus on disk: the words of all documents as numbers, and the fields of each document."""

from __future__ import annotations

import hashlib
import math
import pickle
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO

import numpy as np

from fairflow.corpora.dates import decimal_year
from fairflow.corpora.documents import Document, Skipped, read_documents
from fairflow.corpora.preparation import words_of_texts
from fairflow.errors import FairflowError, nearest
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
# Of the head of a .npy file, whatever its length.
_HEAD_BYTES = 128
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


class _Fields(Mapping[str, list[str]]):
    """Fields that are read when they are used; equal values share their memory."""

    def __init__(self, path: str | Path, names: Sequence[str]) -> None:
        self._path, self._names = path, names
        self._read: dict[str, list[str]] = {}

    def __getitem__(self, name: str) -> list[str]:
        from fairflow.files.parquet import read_parquet

        if name not in self._names:
            raise KeyError(name)
        if name not in self._read:
            column = read_parquet(self._path, "list of documents", [_FIELD + name])[0]
            coded = column.combine_chunks().dictionary_encode()
            values = coded.dictionary.to_pylist()
            self._read[name] = [values[code] for code in coded.indices.to_numpy()]
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


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
    undated, duplicates (documents with the text of an earlier one), and under skipped and remarks
    for each reason : `number` of documents, and the first `examples`. All but the skipped are kept.

    Raises
    ------
    FairflowError : a text cannot be read, or no document has a word. ConfigurationError : the
        definition cannot be used. Nothing is written.
    """
    with ExitStack() as stack:
        # Those that are opened first are put in place last.
        new = {key: stack.enter_context(atomic_path(paths[key])) for key in reversed(FILES)}
        tokens = stack.enter_context(open(new["tokens"], "w+b"))
        noted = stack.enter_context(TemporaryFile(dir=Path(paths["tokens"]).parent))
        reading = _Reading(definition, tokens, noted)
        for found in read_documents(Path(path), definition):
            reading.add(found)
        if not reading.digests:
            reasons = [f"{n['number']:,} {why}" for why, n in reading.skipped.items()]
            found = f"skipped: {', '.join(reasons)}" if reasons else "there is no text"
            raise FairflowError(f"{path}: no document with a word was found ({found})")
        card = reading.write(new["documents"], new["vocabulary"])
        write_json(card, new["card"])
    return card


def _nothing() -> dict[str, Any]:
    return {"number": 0, "examples": []}


def _note(notes: dict[str, Any], example: str) -> None:
    notes["number"] += 1
    if len(notes["examples"]) < _EXAMPLES:
        notes["examples"].append(example)


class _Reading:
    """What has been read of a corpus.

    Words have numbers in the order in which they appear, until `write`.
    """

    def __init__(self, definition: Mapping[str, Any], tokens: BinaryIO, noted: BinaryIO) -> None:
        self.date = definition.get("date")
        self.preparation = {"lower": True, **definition.get("preparation", {})}
        self.words_of = words_of_texts(self.preparation)
        self.numbers: defaultdict[str, int] = defaultdict()
        self.numbers.default_factory = self.numbers.__len__
        # Documents go to `noted`, until the names of all fields are known.
        self.tokens, self.noted = tokens, noted
        self.new_tokens, self.new_documents = array("i"), []
        self.fields: dict[str, None] = {}
        self.digests = array("Q")
        self.undated = _nothing()
        self.skipped, self.remarks = defaultdict(_nothing), defaultdict(_nothing)
        self.ends: list[tuple[float, str]] = []
        _write_head(tokens, 0)

    def add(self, found: Document | Skipped) -> None:
        """Add a document; one without a word is skipped."""
        if isinstance(found, Skipped):
            return _note(self.skipped[found.reason], found.where)
        length = 0
        for words in self.words_of(found.text):
            self.new_tokens.extend(map(self.numbers.__getitem__, words))
            length += len(words)
            if len(self.new_tokens) > _TOKENS:
                self._flush_tokens()
        if not length:
            return _note(self.skipped["without a word"], found.where)
        if found.remark:
            _note(self.remarks[found.remark], found.where)
        self.fields.update(dict.fromkeys(found.fields))
        digest = hashlib.blake2b(found.text.encode("utf-8", "replace"), digest_size=8).digest()
        self.digests.append(int.from_bytes(digest, "little"))
        self.new_documents.append((found.where, length, self._year(found), found.fields))
        if len(self.new_documents) >= _DOCUMENTS:
            self._flush_documents()
        return None

    def _year(self, document: Document) -> float:
        if self.date is None:
            return math.nan
        text = document.fields.get(self.date, "")
        year = decimal_year(text)
        if math.isnan(year):
            _note(self.undated, f"{document.where}: {text[:40]!r}")
        else:
            dates = sorted([*self.ends, (year, text)])
            self.ends = [dates[0], dates[-1]]
        return year

    def _flush_tokens(self) -> None:
        self.new_tokens.tofile(self.tokens)
        del self.new_tokens[:]

    def _flush_documents(self) -> None:
        if self.new_documents and self.date not in {None, *self.fields}:
            raise FairflowError(
                f"date: the documents have no field {self.date!r}, but "
                f"{', '.join(self.fields) or 'none'}. {nearest(self.date, self.fields)}"
            )
        pickle.dump(self.new_documents, self.noted)
        self.new_documents.clear()

    def write(self, documents: Path, vocabulary: Path) -> dict[str, Any]:
        """Write what is missing of the files, but for the card, and return that."""
        self._flush_tokens()
        self._flush_documents()
        duplicates = self._write_documents(documents)
        return {
            "documents": len(self.digests),
            "tokens": self._number_by_frequency(vocabulary),
            "words": len(self.numbers),
            "fields": list(self.fields),
            "date": self.date,
            "first_date": self.ends[0][1] if self.ends else None,
            "last_date": self.ends[1][1] if self.ends else None,
            "undated": self.undated,
            "duplicates": duplicates,
            "skipped": dict(self.skipped),
            "remarks": dict(self.remarks),
            "preparation": self.preparation,
        }

    def _number_by_frequency(self, path: Path) -> int:
        """Write the vocabulary, and renumber the tokens by it; how many there are."""
        import pyarrow as pa

        from fairflow.files.parquet import write_parquet

        counts = np.zeros(len(self.numbers), np.int64)
        for _, tokens in _parts_of(self.tokens):
            counts += np.bincount(tokens, minlength=len(counts))
        words = list(self.numbers)
        order = np.array(sorted(range(len(words)), key=words.__getitem__))
        order = order[np.argsort(-counts[order], kind="stable")]
        number = np.empty(len(order), np.int32)
        number[order] = np.arange(len(order))
        for place, tokens in _parts_of(self.tokens):
            self.tokens.seek(place)
            self.tokens.write(number[tokens].tobytes())
        _write_head(self.tokens, int(counts.sum()))
        table = {"word": [words[n] for n in order], "count": counts[order]}
        write_parquet(pa.table(table), path)
        return int(counts.sum())

    def _write_documents(self, path: Path) -> dict[str, Any]:
        """Write the table of documents; the number and first examples of repeated texts."""
        import pyarrow as pa

        from fairflow.files.parquet import parquet_parts

        digests = np.frombuffer(self.digests, np.uint64)
        order = np.argsort(digests, kind="stable")
        ordered = digests[order]
        copies = np.sort(order[1:][ordered[1:] == ordered[:-1]])
        pairs = [
            (int(n), int(order[np.searchsorted(ordered, digests[n])])) for n in copies[:_EXAMPLES]
        ]
        where = dict.fromkeys([number for pair in pairs for number in pair], "")
        columns = {"where": pa.string(), "tokens": pa.int64(), "year": pa.float64()}
        schema = pa.schema(columns | {_FIELD + name: pa.string() for name in self.fields})
        self.noted.seek(0)
        done = 0
        with parquet_parts(path, schema) as add:
            while done < len(digests):
                rows = pickle.load(self.noted)
                places, lengths, years, fields = zip(*rows, strict=True)
                values = [[of.get(name, "") for of in fields] for name in self.fields]
                columns = [places, lengths, years, *values]
                add(pa.table(dict(zip(schema.names, columns, strict=True)), schema))
                here = where.keys() & range(done, done + len(rows))
                where |= {number: places[number - done] for number in here}
                done += len(rows)
        told = [f"{where[copy]} has the text of {where[original]}" for copy, original in pairs]
        return {"number": len(copies), "examples": told}


def _write_head(file: BinaryIO, tokens: int) -> None:
    """Write the head of a .npy file of that many word numbers."""
    file.seek(0)
    head = {"descr": "<i4", "fortran_order": False, "shape": (tokens,)}
    np.lib.format.write_array_header_1_0(file, head)


def _parts_of(file: BinaryIO) -> Iterator[tuple[int, np.ndarray]]:
    """Tokens of a .npy file, and where they begin in it."""
    file.seek(place := _HEAD_BYTES)
    while data := file.read(4 * _TOKENS):
        yield place, np.frombuffer(data, np.int32)
        place += len(data)
        file.seek(place)
