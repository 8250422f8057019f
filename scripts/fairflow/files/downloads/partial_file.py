"""The bytes of a download so far, kept so that another process can go on with them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from fairflow.files.downloads.checksums import beside, hasher
from fairflow.files.downloads.failures import SourceFailure
from fairflow.files.downloads.progress import Progress

CHUNK_BYTES = 1 << 16


@dataclass(frozen=True)
class Notes:
    """What is known of the piece that is being downloaded.

    Attributes
    ----------
    start : bytes of earlier pieces before it. total : its own length, if the server says it.
    """

    url: str
    start: int = 0
    total: int | None = None
    etag: str | None = None
    modified: str | None = None

    @property
    def validator(self) -> str | None:
        """What tells this state of the piece from others; a weak tag does not."""
        if self.etag and not self.etag.startswith("W/"):
            return self.etag
        return self.modified

    @property
    def end(self) -> int | None:
        """Where the piece ends in the file."""
        return None if self.total is None else self.start + self.total


class PartialFile:
    """`TARGET.part`: one piece after the other, and the checksum of all that it holds.

    `TARGET.part.json` holds the `Notes` of the latest piece. `size` is that of all bytes, `start`
    that of the earlier pieces.

    Parameters
    ----------
    kind : kind of the checksum.
    """

    def __init__(self, target: Path, kind: str) -> None:
        self.path = beside(target, ".part")
        self.size = self.start = 0
        self.notes: Notes | None = None
        self._notes_path = beside(target, ".part.json")
        self._hasher = hasher(kind)
        self._hasher_at_start = self._hasher.copy()

    @property
    def end(self) -> int | None:
        """Size of the file when the piece in progress is complete, if that is known."""
        return self.notes.end if self.notes is not None else None

    def digest(self) -> str:
        """The checksum of the bytes, in hexadecimal."""
        return self._hasher.hexdigest()

    def adopt(self, urls: Sequence[str]) -> int:
        """Go on with what an earlier process left, if it was downloading one of the pieces.

        Returns
        -------
        The index of the piece to go on with, which is 0 if there is nothing to go on with.
        """
        notes = self._read_notes()
        if notes is None or notes.url not in urls or not self.path.is_file():
            return 0
        size = self.path.stat().st_size
        if not notes.start <= size <= (size if notes.end is None else notes.end):
            return 0
        with open(self.path, "rb") as file:
            self._read(file, notes.start)
            self.start, self._hasher_at_start = notes.start, self._hasher.copy()
            self._read(file, size - notes.start)
        self.notes = notes
        return list(urls).index(notes.url)

    def is_whole(self) -> bool:
        """Whether the piece in progress has all of its bytes."""
        return self.size == self.end

    def missing_range(self) -> dict[str, str]:
        """Headers that ask for the rest of the piece; none if it has to be fetched whole."""
        if self.notes is None or self.notes.validator is None or self.size == self.start:
            return {}
        return {"Range": f"bytes={self.size - self.start}-", "If-Range": self.notes.validator}

    def forget_piece(self) -> None:
        """Fetch the piece in progress from its beginning."""
        self.size, self._hasher = self.start, self._hasher_at_start.copy()
        self.notes = None

    def begin_piece(self, notes: Notes) -> None:
        """Make place for a piece, dropping what the file holds beyond the earlier ones."""
        self.forget_piece()
        self.drop_notes()
        with open(self.path, "ab") as file:
            file.truncate(self.start)
        self._write_notes(replace(notes, start=self.start))

    def extend(self, chunks: Iterable[bytes], limit: int | None, progress: Progress) -> None:
        """Append bytes as they come.

        Raises
        ------
        SourceFailure : more than `limit` bytes.
        """
        # Unbuffered, so that a killed process leaves every byte that has arrived.
        with open(self.path, "ab", buffering=0) as file:
            for chunk in chunks:
                if limit is not None and self.size + len(chunk) > limit:
                    self.drop_notes()
                    raise SourceFailure(f"sends more than the {limit} bytes that it may have")
                rest = memoryview(chunk)
                while rest:
                    written = file.write(rest)
                    self._count(rest[:written])
                    rest = rest[written:]
                progress.at(self.size)

    def finish_piece(self) -> None:
        """Keep the piece for good; the next one follows it."""
        if self.notes is not None:
            self._write_notes(replace(self.notes, total=self.size - self.start))
        self.start, self._hasher_at_start = self.size, self._hasher.copy()
        self.notes = None

    def take(self, path: Path) -> None:
        """Make a file that is complete the content."""
        self.drop_notes()
        os.replace(path, self.path)
        with open(self.path, "rb") as file:
            self._read(file, self.path.stat().st_size)

    def drop_notes(self) -> None:
        """Let no other process go on with the file."""
        self._notes_path.unlink(missing_ok=True)

    def remove_unless_resumable(self) -> None:
        """Keep only what another process can go on with."""
        if self._read_notes() is None:
            self.remove()

    def remove(self) -> None:
        """Leave nothing."""
        self.drop_notes()
        self.path.unlink(missing_ok=True)

    def _count(self, chunk: Any) -> None:
        self._hasher.update(chunk)
        self.size += len(chunk)

    def _read(self, file: Any, length: int) -> None:
        while length > 0 and (chunk := file.read(min(length, 16 * CHUNK_BYTES))):
            self._count(chunk)
            length -= len(chunk)

    def _write_notes(self, notes: Notes) -> None:
        self.notes = notes
        self._notes_path.write_text(json.dumps(asdict(notes)), encoding="utf-8")

    def _read_notes(self) -> Notes | None:
        try:
            return Notes(**json.loads(self._notes_path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            # None, or half of them: the process that wrote them was killed.
            return None
