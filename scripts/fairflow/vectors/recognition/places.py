"""Where files of vectors lie: a folder or an archive, each asked in the same way."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from fairflow.errors import DownloadError
from fairflow.files import compression
from fairflow.files.archives import damage_named, open_archive
from fairflow.files.file_signatures import HEAD_BYTES
from fairflow.files.packed_folders import names_in
from fairflow.vectors.copying import first_bytes
from fairflow.vectors.recognition.unknown import NoVectors
from fairflow.vectors.word_list import WordList

# How deep a folder is looked through: a package of a pipeline has its vectors in X/X-1.0/vocab.
_DEPTH = 3
_MOST_NAMES = 5000


@dataclass(frozen=True)
class Folder:
    """Files below a folder."""

    path: Path

    @cached_property
    def names(self) -> list[str]:
        """The names of its files, relative to it; hidden ones are left out."""
        found, folders = [], [self.path]
        for _ in range(_DEPTH + 1):
            inside = [entry for folder in folders for entry in folder.iterdir()]
            inside = [entry for entry in inside if not entry.name.startswith(".")]
            found += [entry for entry in inside if entry.is_file()]
            if len(found) > _MOST_NAMES:
                raise NoVectors(f"it is a folder of more than {_MOST_NAMES:,} files. Name the one")
            folders = [entry for entry in inside if entry.is_dir()]
        return sorted(str(entry.relative_to(self.path)) for entry in found)

    def named(self, name: str) -> str:
        """How a person names one of its files."""
        return str(self.path / name)

    def head(self, name: str) -> bytes:
        """The first bytes of a file, unpacked if it is packed as gz, bz2 or xz."""
        return _head(self.path / name, packing_of(self.path / name), None)

    def size(self, name: str) -> int | None:
        """Of a file, in bytes."""
        return (self.path / name).stat().st_size

    def entry(self, name: str) -> dict[str, Any]:
        """The keys of a model that say where the file lies."""
        return {"sources": [{"file": str(self.path / name)}]}

    def network(self, name: str) -> dict[str, Any]:
        """The keys of a language model that say where its folder lies."""
        return {"folder": str(self.path / name)}

    def words(self, name: str) -> dict[str, Any]:
        """The keys of a model that say where its words lie."""
        return {"words": str(self.path / name)}

    def packed(self, name: str) -> dict[str, Any]:
        """The arguments of `open_packed` for a file."""
        return {"path": self.path / name}

    def word_list(self, name: str, column: str | None = None) -> WordList:
        """A file as a list of words."""
        return WordList(self.path / name, column)

    def beside(self, name: str) -> list[str]:
        """The files in the folder of a file, without going through others."""
        folder = PurePosixPath(name).parent
        files = (entry for entry in (self.path / folder).iterdir() if entry.is_file())
        return sorted(str(folder / entry.name) for entry in files)


@dataclass(frozen=True)
class Archive:
    """Files in a zip or tar archive."""

    path: Path
    kind: str
    # Those that were read: of a tar each costs a walk through the whole.
    _heads: dict[str, bytes] = field(default_factory=dict, repr=False)

    @cached_property
    def names(self) -> list[str]:
        """The names of its files."""
        return sorted({name for name in names_in(self.path, self.kind) if name[-1:] != "/"})

    def named(self, name: str) -> str:
        """How a person names one of its files."""
        return f"{self.path}/{name}"

    def head(self, name: str) -> bytes:
        """The first bytes of a file in it."""
        if name not in self._heads:
            self._heads[name] = _head(self.path, self.kind, name)
        return self._heads[name]

    def size(self, name: str) -> int | None:
        """Not known without going through the archive."""
        return None

    def entry(self, name: str) -> dict[str, Any]:
        """The keys of a model that say where the file lies."""
        return {"sources": [{"file": str(self.path)}], "archive": self.kind, "member": name}

    def network(self, name: str) -> dict[str, Any]:
        """The keys of a language model that say where its folder lies."""
        entry = {"sources": [{"file": str(self.path)}], "archive": self.kind}
        return entry | ({} if name == "." else {"member": name})

    def words(self, name: str) -> dict[str, Any]:
        """The keys of a model that say where its words lie."""
        return {"words_member": name}

    def packed(self, name: str) -> dict[str, Any]:
        """The arguments of `open_packed` for a file."""
        return {"path": self.path, "archive": self.kind, "member": name}

    def word_list(self, name: str, column: str | None = None) -> WordList:
        """A file in it as a list of words."""
        return WordList(self.path, column, {"archive": self.kind, "member": name})

    def beside(self, name: str) -> list[str]:
        """The files in the folder of a file."""
        folder = PurePosixPath(name).parent
        return [one for one in self.names if PurePosixPath(one).parent == folder]


Place = Folder | Archive


def packing_of(path: Path) -> str | None:
    """How a file is packed; a tar that is itself packed is a tar.

    Raises
    ------
    DownloadError : in a way that is not read here, with what to do; or it is damaged.
    """
    kind = _told(path, None)
    if kind in compression.STREAMS and _told(path, kind) == "tar":
        return "tar"
    if kind not in (None, *compression.STREAMS, *compression.FOLDERS):
        raise DownloadError(f"{path} {compression.problem(None, _head(path, None, None))}")
    return kind


def _told(path: Path, packing: str | None) -> str | None:
    return compression.packing_of(_head(path, packing, None, compression.HEAD_BYTES))


def _head(path: Path, packing: str | None, member: str | None, size: int = HEAD_BYTES) -> bytes:
    with ExitStack() as stack, damage_named(path, packing):
        return first_bytes(open_archive(path, packing, member, stack)[0], size)
