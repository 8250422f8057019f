"""Documents of a folder, a table or an archive, one at a time."""

from __future__ import annotations

import os
import re
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from fairflow.corpora import rows as tables
from fairflow.corpora.preparation import compiled
from fairflow.corpora.rows import kind_of, kind_of_content, value_text, without_packing
from fairflow.errors import NAME_ADVICE, UNPRINTABLE, ConfigurationError, FairflowError
from fairflow.files import packed_files as packed
from fairflow.files.checksums import verify

_EVERY_TEXT = "**/*.txt"


class Document(NamedTuple):
    """A text with what is known of it.

    Attributes
    ----------
    where : the file, and the line or row in it.
    remark : what is wrong with its fields, or "".
    """

    text: str
    fields: dict[str, str]
    where: str
    remark: str = ""


class Skipped(NamedTuple):
    """What is no document, and why. Texts without a word are documents here."""

    where: str
    reason: str


def read_documents(path: Path, definition: Mapping[str, Any]) -> Iterator[Document | Skipped]:
    """The documents of a folder or file, in the order of paths and rows.

    A folder or archive gives a document for each text, with its folder as the field `folder`.
    Tables in it, and a file that is a table, give a document for each row, with the other columns
    as fields. Each file may be packed as gz, bz2 or xz (parquet may not).

    Parameters
    ----------
    definition : its keys are optional. archive : zip or tar. bytes, checksum : of the file, which
        are verified first. texts : pattern of the paths of texts or tables; **/*.txt by default.
        metadata : {"file": a table in the folder or archive, "key": its column with the paths or
        names of the texts, with or without ending}; the columns become fields. names : a regular
        expression; its named groups, searched for in a file's name without ending, become fields.
        text : the column of a table that holds the texts; "text" by default. encoding : utf-8 by
        default, with or without a byte order mark.

    Raises
    ------
    FairflowError : with the file, the line and what to do. ConfigurationError : a key has a value
        that cannot be used.
    """
    reader = _Reader(definition)
    if path.is_dir():
        yield from reader.folder(path, str(path), _files(path))
        return
    if not path.is_file():
        raise FairflowError(f"{path}: there is no such file or folder")
    verify(path, path, definition.get("checksum"), definition.get("bytes"))
    archive = definition.get("archive") or _archive(path)
    if archive not in packed.FOLDERS:
        kind = kind_of(path.name) or kind_of_content(path)
        yield from reader.file(path, path.name, kind, {}, "")
        return
    with tempfile.TemporaryDirectory() as unpacked:
        packed.unpack_folder(path, archive, "", reader.reads, Path(unpacked))
        yield from reader.folder(Path(unpacked), str(path), packed.names_in(path, archive))


def _archive(path: Path) -> str | None:
    """How a file is packed; tar for a packed tar, too."""
    with open(path, "rb") as file:
        kind = packed.packing_of(file.read(packed.HEAD_BYTES))
    with packed.damage_named(path, kind):
        return "tar" if kind in packed.STREAMS and tarfile.is_tarfile(path) else kind


def _files(root: Path) -> list[str]:
    """Paths of all files below a folder; each folder once, wherever links lead."""
    found, seen = [], {os.path.realpath(root)}
    for folder, inner, names in os.walk(root, followlinks=True):
        inner.sort()
        for name in list(inner):
            real = os.path.realpath(os.path.join(folder, name))
            if real in seen:
                inner.remove(name)
            seen.add(real)
        found += [Path(folder, name).relative_to(root).as_posix() for name in names]
    return found


def _matcher(pattern: str) -> Callable[[str], bool]:
    """Whether a path, with or without the ending of its packing, has a pattern with * and **."""
    meanings = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    expression = "".join(meanings.get(part) or re.escape(part) for part in parts)
    matches = re.compile(expression, re.IGNORECASE | re.DOTALL).fullmatch
    return lambda name: bool(matches(name) or matches(str(without_packing(name))))


class _Reader:
    """Reads the documents that a definition describes."""

    def __init__(self, definition: Mapping[str, Any]) -> None:
        self.encoding = tables.codec(definition.get("encoding", "utf-8"))
        self.column = definition.get("text", "text")
        self.pattern = definition.get("texts", _EVERY_TEXT)
        self.is_text = _matcher(self.pattern)
        self.metadata: Mapping[str, str] = definition.get("metadata", {})
        self.reads = lambda place: (
            self.is_text(str(place)) or str(place) == self.metadata.get("file")
        )
        self.names = compiled("names", definition["names"]) if "names" in definition else None
        if self.names and not self.names.groupindex:
            problem = f"names: {self.names.pattern!r} has no named group such as (?P<year>...)"
            raise ConfigurationError([problem])
        # Key -> where its row is, its fields, and the text that they belong to.
        self.rows: dict[str, tuple[str, dict[str, str]]] = {}
        self.used: dict[str, str] = {}

    def folder(
        self, root: Path, origin: str, names: Collection[str]
    ) -> Iterator[Document | Skipped]:
        """The documents of a folder; of an unpacked archive, `names` has the other files, too."""
        chosen = sorted(filter(self.is_text, names))
        if not chosen:
            endings = Counter(PurePosixPath(name).suffix or "no ending" for name in names)
            found = ", ".join(f"{ending} ({n:,})" for ending, n in endings.most_common(9))
            held = (
                f"Found: {found}. Set texts to a pattern of their paths" if found else "It is empty"
            )
            raise FairflowError(f"{origin}: no file matches {self.pattern} (texts). {held}")
        if self.metadata:
            self._read_metadata(root)
        for name in chosen:
            if UNPRINTABLE.search(name):
                raise FairflowError(f"{origin}: {name!r}: {NAME_ADVICE}")
            if PurePosixPath(name).name.startswith("."):
                yield Skipped(name, "hidden file")
            elif not (root / name).is_file():
                yield Skipped(name, "link to no file")
            else:
                yield from self.file(root / name, name, kind_of(name) or "text", *self._known(name))
        for key in self.rows:
            if key not in self.used:
                yield Skipped(self.rows[key][0], f"no file for a row of {self.metadata['file']}")

    def file(
        self, path: Path, name: str, kind: str, known: Mapping[str, str], remark: str
    ) -> Iterator[Document | Skipped]:
        """The documents of a text or table, with fields that are known of all of them."""
        if kind == "text":
            yield Document(tables.text_of(path, name, self.encoding), {**known}, name, remark)
            return
        for number, (where, row) in enumerate(tables.rows(path, name, kind, self.encoding)):
            # Later lines of a JSONL file may lack it.
            if not number:
                tables.check_column(row, self.column, where, "text")
            text = row.pop(self.column, None)
            if not isinstance(text, str | None):
                raise FairflowError(
                    f"{where}: the field {self.column!r} holds {str(text)[:40]!r}, expected a text"
                )
            fields = {**known, **{field: value_text(value) for field, value in row.items()}}
            yield Document(text or "", fields, where, remark)

    def _read_metadata(self, root: Path) -> None:
        table, key = self.metadata["file"], self.metadata["key"]
        if not (root / table).is_file():
            raise FairflowError(f"metadata.file: there is no {table!r} in the folder of the texts")
        kind = kind_of(table) or kind_of_content(root / table)
        for where, row in tables.rows(root / table, table, kind, self.encoding):
            tables.check_column(row, key, where, "metadata.key")
            name = value_text(row[key])
            if name in self.rows:
                raise FairflowError(
                    f"{where}: {name!r} is also the {key} of {self.rows[name][0]}; expected one "
                    "row for each text"
                )
            # Equal values share their memory.
            self.rows[name] = where, {k: sys.intern(value_text(v)) for k, v in row.items()}

    def _known(self, name: str) -> tuple[dict[str, str], str]:
        """The fields of a file, and what is wrong with them."""
        place, remarks = without_packing(name), []
        fields = {"folder": "" if place.parent == PurePosixPath() else str(place.parent)}
        if self.names:
            found = self.names.search(place.stem)
            fields |= found.groupdict("") if found else dict.fromkeys(self.names.groupindex, "")
            remarks += [] if found else ["names does not match the file's name"]
        if self.metadata:
            keys = (name, str(place), str(place.with_suffix("")), place.name, place.stem)
            key = next((key for key in keys if key in self.rows), "")
            if key in self.used:
                raise FairflowError(
                    f"{self.rows[key][0]}: {key!r} fits {self.used[key]} and {name}. Write the "
                    f"paths of the texts as {self.metadata['key']}"
                )
            if key:
                self.used[key] = name
                fields |= self.rows[key][1]
            else:
                fields |= dict.fromkeys(next(iter(self.rows.values()), ("", {}))[1], "")
                remarks.append(f"no row in {self.metadata['file']}")
        return fields, "; ".join(remarks)
