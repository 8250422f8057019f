"""Documents of a folder, a table or an archive, one at a time."""

from __future__ import annotations

import re
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from fairflow.corpora.preparation import compiled
from fairflow.corpora.rows import check_field, lines, rows, value_text
from fairflow.errors import NAME_ADVICE, UNPRINTABLE, ConfigurationError, FairflowError
from fairflow.files import packed_files as packed
from fairflow.files.checksums import verify

_TABLES = {".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".pq"}
_PACKED = {".gz", ".bz2", ".xz"}
# How R and pandas write a missing text.
MISSING = ("NA", "N/A", "NaN", "nan", "NULL", "None", "<NA>")
# What holds texts, and is not read, with what to do.
_REMEDIES = {
    ".pdf": "pdftotext FILE.pdf writes the text of a PDF to FILE.txt",
    ".xlsx .xlsm .xls .ods": "Save each sheet as CSV in UTF-8",
    ".docx .doc .odt .rtf": "Save each document as text in UTF-8",
    ".pkl .pickle": "A pickle could run code: write the frame with to_parquet, or to_csv",
    ".rds .rda .rdata .sav .dta": "Write the table as CSV in UTF-8",
}


class Document(NamedTuple):
    """A text with what is known of it, and where it is: the file, and the line or row in it."""

    text: str
    fields: dict[str, str]
    where: str


class Note(NamedTuple):
    """What is no document, or lacks something, and why."""

    reason: str
    where: str


def read_documents(path: Path, definition: Mapping[str, Any]) -> Iterator[Document | Note]:
    """The documents of a folder or file, in the order of paths and rows.

    A folder or archive gives a document for each text; a file in a subfolder has that as the field
    `folder`. Tables in it, and a file that is a table, give a document for each row, with the other
    columns as fields. Each file may be packed as gz, bz2 or xz (parquet may not).

    Parameters
    ----------
    definition : its keys are optional. archive : zip or tar. bytes, checksum : of the file, which
        are verified first. texts : pattern of the paths of texts or tables; **/*.txt by default.
        metadata : {"file": a table in the folder or archive, "key": its column with the paths or
        names of the texts, with or without ending}; the columns become fields. names : a regular
        expression; its named groups, searched for in a file's name without ending, become fields.
        quotes : see `fairflow.corpora.rows.rows`.
        text : the column of a table that holds the texts; "text" by default. encoding : utf-8 by
        default, with or without a byte order mark.

    Raises
    ------
    FairflowError : with the file, the line and what to do. ConfigurationError : a key has a value
        that cannot be used.
    """
    reader = _Reader(definition)
    if path.is_file():
        verify(path, path, definition.get("checksum"), definition.get("bytes"))
    with opened_folder(path, reader.reads, definition.get("archive")) as (root, names):
        yield from reader.documents(path, root, names)


@contextmanager
def opened_folder(
    path: Path, wanted: Callable[[str], bool], archive: str | None = None
) -> Iterator[tuple[Path, list[str]]]:
    """A folder with the wanted files of a folder or an archive, and the sorted names of all files.

    Of any other file, its folder and its name. Links to folders are not followed.

    Raises
    ------
    FairflowError : there is no such file, or the archive is damaged.
    """
    if path.is_dir():
        found = (p for p in path.rglob("*") if p.is_symlink() or not p.is_dir())
        yield path, sorted(p.relative_to(path).as_posix() for p in found)
    elif not path.is_file():
        raise FairflowError(f"{path}: there is no such file or folder")
    elif told := remedies([path.name]):
        raise FairflowError(f"{path} is neither text nor a table that is read{told}")
    elif (archive := archive or _archive(path)) in packed.FOLDERS:
        with TemporaryDirectory() as folder:
            packed.unpack_folder(path, archive, "", lambda p: wanted(str(p)), Path(folder))
            yield Path(folder), sorted(packed.names_in(path, archive))
    else:
        yield path.parent, [path.name]


def listing(path: Path) -> list[list[Any]]:
    """Name, size and time of each file of a folder, or of a file alone; none if it is not there."""
    root = path if path.is_dir() else path.parent
    found = sorted(path.rglob("*")) if path.is_dir() else [path]
    stats = ((file, file.stat()) for file in found if file.is_file())
    return [[str(p.relative_to(root)), s.st_size, s.st_mtime_ns] for p, s in stats]


def _archive(path: Path) -> str | None:
    """How a file is packed; tar for a packed tar, too."""
    with open(path, "rb") as file:
        kind = packed.packing_of(file.read(packed.HEAD_BYTES))
    with packed.damage_named(path, kind):
        return "tar" if kind in packed.STREAMS and tarfile.is_tarfile(path) else kind


def without_packing(name: str) -> PurePosixPath:
    """The path of a file as it is unpacked."""
    path = PurePosixPath(name)
    return path.with_suffix("") if path.suffix.lower() in _PACKED else path


def is_table(name: str) -> bool:
    """Whether a name, with or without the ending of its packing, is that of a table."""
    return without_packing(name).suffix.lower() in _TABLES


def endings(names: Collection[str]) -> str:
    """The most frequent endings of names, with their numbers."""
    found = Counter(PurePosixPath(name).suffix or "no ending" for name in names)
    return ", ".join(f"{ending} ({n:,})" for ending, n in found.most_common(9)) or "no file"


def remedies(names: Collection[str]) -> str:
    """What to do with files of kinds that are not read, as sentences after a sentence."""
    found = {without_packing(name).suffix.lower() for name in names}
    return "".join(f". {told}" for kinds, told in _REMEDIES.items() if found & {*kinds.split()})


def _matcher(pattern: str) -> Callable[[str], bool]:
    """Whether a path, with or without the ending of its packing, has a pattern with * and **."""
    expression = re.escape(pattern).replace(r"\*\*/", "(?:.*/)?").replace(r"\*\*", ".*")
    expression = expression.replace(r"\*", "[^/]*").replace(r"\?", "[^/]")
    matches = re.compile(expression, re.IGNORECASE | re.DOTALL).fullmatch
    return lambda name: bool(matches(name) or matches(str(without_packing(name))))


class _Reader:
    """Reads the documents that a definition describes."""

    def __init__(self, definition: Mapping[str, Any]) -> None:
        self.how = definition.get("encoding", "utf-8"), definition.get("quotes")
        self.column = definition.get("text", "text")
        self.pattern = definition.get("texts", "**/*.txt")
        self.is_text = _matcher(self.pattern)
        self.table, self.key = (definition.get("metadata", {}).get(k) for k in ("file", "key"))
        self.names = compiled("names", definition.get("names", ""))
        if "names" in definition and not self.names.groupindex:
            problem = f"names: {self.names.pattern!r} has no named group such as (?P<year>...)"
            raise ConfigurationError([problem])
        # Of each text, its row in the table of metadata.
        self.rows: dict[str, dict[str, str]] = {}

    def reads(self, name: str) -> bool:
        """Whether a file of an archive is needed."""
        return self.is_text(name) or name == self.table

    def documents(
        self, path: Path, root: Path, names: Collection[str]
    ) -> Iterator[Document | Note]:
        """The documents of an opened folder; `path` is where it comes from."""
        alone = path.is_file() and path.parent == root
        chosen = [n for n in names if alone or self.is_text(n) or (root / n).is_dir()]
        if not chosen:
            problem = f"no file matches {self.pattern} (texts). Found: {endings(names)}"
            raise FairflowError(f"{path}: {problem}. Set texts to a pattern of their paths")
        if self.table:
            yield from self._join(root, chosen)
        for name in chosen:
            place = root / name
            if UNPRINTABLE.search(name):
                raise FairflowError(f"{path}: {name!r}: {NAME_ADVICE}")
            if place.name.startswith("."):
                yield Note("Skipped, a hidden file", name)
            elif not place.is_file():
                yield Note("Skipped, a link to a folder or to no file", name)
            else:
                yield from self._file(place, name, alone)

    def _file(self, path: Path, name: str, alone: bool) -> Iterator[Document | Note]:
        """The documents of a text or table, and what is wrong with their fields."""
        place = without_packing(name)
        known = {"folder": str(place.parent)} if place.parent.name else {}
        if found := self.names.search(place.stem):
            known |= found.groupdict("")
        else:
            yield Note("Kept, with a name that names does not match", name)
        if self.table and name not in self.rows:
            yield Note(f"Kept, without a row in {self.table}", name)
        known |= self.rows.get(name, {})
        if not is_table(name) and not (alone and place.suffix.lower() != ".txt"):
            yield Document("".join(lines(path, name, self.how[0])), known, name)
            return
        for number, (where, row) in enumerate(rows(path, name, *self.how)):
            # Later lines of a JSONL file may lack it.
            if not number:
                check_field(self.column, row, f"{where} (text)")
            text = row.pop(self.column, None)
            if not isinstance(text, str | None):
                holds = f"{where}: the field {self.column!r} holds {str(text)[:40]!r}"
                raise FairflowError(f"{holds}, expected a text")
            if text in MISSING:
                yield Note(f"Skipped, its text is {text}, as a missing one is written", where)
                continue
            fields = {field: value_text(value) for field, value in row.items()}
            yield Document(value_text(text), known | fields, where)

    def _join(self, root: Path, names: Collection[str]) -> Iterator[Note]:
        """Find the row of each text in the table of metadata; note those without a text."""
        if not (root / self.table).is_file():
            raise FairflowError(f"metadata.file: the folder of the texts has no {self.table!r}")
        by_path, by_name = defaultdict(list), defaultdict(list)
        for name in names:
            place = without_packing(name)
            for key in {name, str(place), str(place.with_suffix(""))}:
                by_path[key].append(name)
            for key in {place.name, place.stem}:
                by_name[key].append(name)
        for where, row in rows(root / self.table, self.table, *self.how):
            check_field(self.key, row, f"{where} (metadata.key)")
            key = value_text(row[self.key])
            texts = by_path.get(key) or by_name.get(key, [])
            if len(texts) > 1 or self.rows.keys() & texts:
                problem = f"{where}: {key!r} fits {' and '.join(texts)}, or has an earlier row"
                raise FairflowError(
                    f"{problem}. Write the paths of the texts as {self.key}, each in one row"
                )
            # Equal values share their memory.
            fields = {k: sys.intern(value_text(v)) for k, v in row.items()}
            self.rows |= dict.fromkeys(texts, fields)
            if not texts:
                yield Note(f"Row of {self.table} without a text", where)
