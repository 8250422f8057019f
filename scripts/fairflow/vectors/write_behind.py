"""Writing in a thread of its own, one block behind."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import BinaryIO


class WriteBehind:
    """A file whose `write` returns at once, at most one block ahead of the disk."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._pending: Future[int] | None = None

    def write(self, data: bytes) -> None:
        """Hand over a block; an error of the block before is raised here."""
        self.finish()
        self._pending = self._thread.submit(self._file.write, data)

    def finish(self) -> None:
        """Wait until everything is written."""
        if self._pending is not None:
            self._pending.result()
            self._pending = None

    def __enter__(self) -> WriteBehind:
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.shutdown()
