"""How far a download is: a line on a terminal, or messages in a log."""

from __future__ import annotations

import logging
import sys
import time

_LOGGER = logging.getLogger("fairflow.files.downloads")
_SECONDS_BETWEEN_UPDATES = 0.2
_MEGABYTE = 1e6
# Where nobody says how much there is to come, a message for each so many bytes.
_BYTES_BETWEEN_MESSAGES = 100_000_000


class Progress:
    """Messages at the start, after each tenth and at the end.

    Parameters
    ----------
    name : what is downloaded, for the reader.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._total: int | None = None
        self._size = self._first = 0
        self._since = time.monotonic()
        self._step = 0

    def begin(self, total: int | None, size: int) -> None:
        """Bytes flow now: `size` of `total` are there already."""
        self._total, self._size, self._first = total, size, size
        self._since = time.monotonic()
        self._step = self._steps()
        self._show_start()

    def at(self, size: int) -> None:
        """So many bytes have arrived."""
        self._size = size
        self._show()

    def end(self, complete: bool) -> None:
        """No more bytes are to come from this source."""
        if complete:
            _LOGGER.info("fetched %s: %s", self._name, self._state())

    def _show_start(self) -> None:
        already = f", {self._first / _MEGABYTE:.1f} MB are there" if self._first else ""
        size = "size unknown" if self._total is None else f"{self._total / _MEGABYTE:.1f} MB"
        _LOGGER.info("fetching %s: %s%s", self._name, size, already)

    def _show(self) -> None:
        if self._steps() > self._step:
            self._step = self._steps()
            _LOGGER.info("%s: %s", self._name, self._state())

    def _steps(self) -> int:
        if self._total is None:
            return self._size // _BYTES_BETWEEN_MESSAGES
        return 10 * self._size // self._total if self._total else 0

    def _state(self) -> str:
        percent = f", {100 * self._size / self._total:.0f} %" if self._total else ""
        seconds = max(time.monotonic() - self._since, 1e-3)
        rate = (self._size - self._first) / _MEGABYTE / seconds
        return f"{self._size / _MEGABYTE:.1f} MB{percent}, {rate:.1f} MB/s"


class Bar(Progress):
    """One line of a terminal, written over at most five times a second."""

    _shown_at = 0.0
    _is_open = False

    def end(self, complete: bool) -> None:
        """Close the line, so that what is written next stands on its own."""
        if self._is_open:
            self._draw()
            sys.stderr.write("\n")
            sys.stderr.flush()

    def _show_start(self) -> None:
        self._draw()

    def _show(self) -> None:
        if time.monotonic() - self._shown_at >= _SECONDS_BETWEEN_UPDATES:
            self._draw()

    def _draw(self) -> None:
        self._shown_at = time.monotonic()
        self._is_open = True
        # \x1b[K clears what a longer line has left.
        sys.stderr.write(f"\r{self._name}: {self._state()}\x1b[K")
        sys.stderr.flush()


def progress_of(name: str) -> Progress:
    """A bar where somebody looks on, messages otherwise."""
    return Bar(name) if sys.stderr.isatty() else Progress(name)
