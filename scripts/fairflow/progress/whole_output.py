"""All that a run and its jobs say, in one file."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import TextIO

_STANDARD_ERROR = 2


class WholeOutput:
    """A file for all that is said, and the terminal for what a person reads.

    From `open` to `close` whatever this process and its children write to standard error goes into
    the file: a traceback of a job that is ended has no place between the lines of the terminal.

    Attributes
    ----------
    terminal : what standard error was before. path : of the file; None as long as there is none.
    """

    def __init__(self) -> None:
        descriptor = os.dup(_STANDARD_ERROR)
        self.terminal: TextIO = os.fdopen(descriptor, "w", errors="replace")
        self.path: Path | None = None
        self._file: TextIO = StringIO()

    def write(self, text: str) -> None:
        """Add lines to the file; those before `open` are kept for it."""
        # On a full disk the run itself tells what is wrong.
        with suppress(OSError):
            self._file.write(f"{text}\n")

    def open(self, folder: Path) -> None:
        """Begin the file, named by the time; where it cannot be written, nothing changes."""
        path = folder / f"{time.strftime('%Y-%m-%dT%H-%M-%S')}.log"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = path.open("a", encoding="utf-8", errors="replace", buffering=1)
        except OSError:
            return
        file.write(self._file.getvalue())
        self.path, self._file = path, file
        os.dup2(file.fileno(), _STANDARD_ERROR)

    def close(self, give_back: bool = True) -> None:
        """End what is said by `write`.

        Parameters
        ----------
        give_back : whether standard error is what it was before; else it goes on into the file.
        """
        if self.path:
            if give_back:
                os.dup2(self.terminal.fileno(), _STANDARD_ERROR)
            with suppress(OSError):
                self._file.close()
            self._file = StringIO()
