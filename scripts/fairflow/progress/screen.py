"""Where the lines of a run go: one that changes on a terminal, one a minute elsewhere."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from typing import TextIO

RED, BOLD, PLAIN = "\033[31m", "\033[1m", "\033[0m"
ERASE = "\r\033[2K"


class Screen:
    """A stream that shows lines for good, and on a terminal one below them that changes.

    Parameters
    ----------
    environment : TERM=dumb makes of a terminal a log; NO_COLOR takes the colours.
    """

    def __init__(self, stream: TextIO, environment: Mapping[str, str] = os.environ) -> None:
        self.stream = stream
        self.is_live = stream.isatty() and environment.get("TERM") not in (None, "", "dumb")
        self.has_colours = self.is_live and not environment.get("NO_COLOR")
        self._live = ""

    @property
    def width(self) -> int:
        """Columns of a line that changes; the last one stays free, or the terminal would wrap."""
        return shutil.get_terminal_size().columns - 1

    @property
    def ellipsis(self) -> str:
        """What stands for words left out."""
        return "…" if "utf" in (self.stream.encoding or "").lower() else "..."

    def say(self, text: str, colour: str = "") -> None:
        """Show lines for good, above the one that changes; the first of them in a colour."""
        if colour and self.has_colours:
            first, newline, rest = text.partition("\n")
            text = f"{colour}{first}{PLAIN}{newline}{rest}"
        self._write(f"{ERASE if self._live else ''}{text}\n{self._live}")

    def change(self, line: str) -> None:
        """Show another line in place of the one that changes; an empty one takes it away."""
        if self.is_live and line != self._live:
            self._live = line
            self._write(ERASE + line)

    def _write(self, text: str) -> None:
        try:
            encoding = self.stream.encoding or "utf-8"
            self.stream.write(text.encode(encoding, "replace").decode(encoding))
            self.stream.flush()
        except (OSError, ValueError):
            # A terminal that was closed stops no run.
            self._live = ""
