"""Bytes from a URL, again and again until all have come, kept so that another process can go on."""

from __future__ import annotations

import json
import logging
import random
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fairflow.errors import DownloadError
from fairflow.files.atomic import ensure_space
from fairflow.files.checksums import beside

if TYPE_CHECKING:
    from requests import Response, Session

CONNECT_TIMEOUT_SECONDS = 15.0
READ_TIMEOUT_SECONDS = 60.0
RETRIES = 5
# The least that must come in a window, on average; less is what a broken or hostile server sends.
WINDOW_SECONDS = 60.0
LEAST_BYTES_PER_SECOND = 1000.0
LONGEST_WAIT_SECONDS = 120.0
_LOGGER = logging.getLogger("fairflow.files.downloads")
# Of at most 18 digits: Python refuses to read thousands of them.
_NUMBER = r"[0-9]{1,18}"
_RANGE = rf"bytes ({_NUMBER})-{_NUMBER}/({_NUMBER}|\*)$"
_SECONDS_BETWEEN_UPDATES = 0.2
_MEGABYTE = 1e6
# Bytes per message if the server does not give the size.
_BYTES_BETWEEN_MESSAGES = 100_000_000
_CHUNK_BYTES = 1 << 16


class Progress:
    """The progress of a download: one line of a terminal that is overwritten.

    Otherwise messages at the start, after each tenth and at the end.

    Parameters
    ----------
    name : what is downloaded, for the reader.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._total: int | None = None
        self._size = self._first = self._step = 0
        self._since = time.monotonic()
        self._terminal = sys.stderr if sys.stderr.isatty() else None
        self._drawn_at: float | None = None

    def begin(self, total: int | None, size: int) -> None:
        """Bytes flow now: `size` of `total` are there already."""
        self._total, self._size, self._first = total, size, size
        self._since = time.monotonic()
        self._step = self._steps()
        if self._terminal:
            return self._draw()
        already = f", {size / _MEGABYTE:.1f} MB are there" if size else ""
        whole = "size unknown" if total is None else f"{total / _MEGABYTE:.1f} MB"
        _LOGGER.info("fetching %s: %s%s", self._name, whole, already)

    def at(self, size: int) -> None:
        """Report the number of bytes that have arrived."""
        self._size = size
        if self._terminal:
            if time.monotonic() - (self._drawn_at or 0) >= _SECONDS_BETWEEN_UPDATES:
                self._draw()
        elif self._steps() > self._step:
            self._step = self._steps()
            _LOGGER.info("%s: %s", self._name, self._state())

    def end(self, complete: bool) -> None:
        """No more bytes come from this source; end the line."""
        if self._drawn_at is not None:
            self._draw("\n")
        elif complete and not self._terminal:
            _LOGGER.info("fetched %s: %s", self._name, self._state())

    def _draw(self, end: str = "") -> None:
        self._drawn_at = time.monotonic()
        # \x1b[K clears what a longer line has left.
        self._terminal.write(f"\r{self._name}: {self._state()}\x1b[K{end}")
        self._terminal.flush()

    def _steps(self) -> int:
        if self._total is None:
            return self._size // _BYTES_BETWEEN_MESSAGES
        return 10 * self._size // self._total if self._total else 0

    def _state(self) -> str:
        percent = f", {100 * self._size / self._total:.0f} %" if self._total else ""
        seconds = max(time.monotonic() - self._since, 1e-3)
        rate = (self._size - self._first) / _MEGABYTE / seconds
        return f"{self._size / _MEGABYTE:.1f} MB{percent}, {rate:.1f} MB/s"


class SourceFailure(Exception):
    """One source does not give the file; another one may."""


class TryAgain(Exception):
    """A failure that may pass.

    Parameters
    ----------
    wait : seconds that the server asks for.
    """

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


@dataclass(frozen=True)
class Notes:
    """The state of the piece that is being downloaded; without a piece the address is empty.

    Attributes
    ----------
    start : bytes of earlier pieces before it. total : its own length, if the server says it.
    """

    url: str = ""
    start: int = 0
    total: int | None = None
    etag: str | None = None
    modified: str | None = None

    @property
    def validator(self) -> str | None:
        """The tag or date that identifies this version of the piece; a weak tag does not."""
        if self.etag and not self.etag.startswith("W/"):
            return self.etag
        return self.modified

    @property
    def end(self) -> int | None:
        """Where the piece ends in the file."""
        return None if self.total is None else self.start + self.total


class PartialFile:
    """`TARGET.part`: one piece after the other; `TARGET.part.json` holds `notes` on the latest.

    Attributes
    ----------
    size : of all its bytes.
    """

    def __init__(self, target: Path) -> None:
        self.path = beside(target, ".part")
        self.size = 0
        self.notes = Notes()
        self._notes_path = beside(target, ".part.json")

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
        self.notes, self.size = notes, size
        return list(urls).index(notes.url)

    def missing_range(self) -> dict[str, str]:
        """Headers that ask for the rest of the piece; none if it has to be fetched whole."""
        if self.notes.validator is None or self.size == self.notes.start:
            return {}
        return {"Range": f"bytes={self.size - self.notes.start}-", "If-Range": self.notes.validator}

    def forget_piece(self) -> None:
        """Fetch the piece in progress from its beginning."""
        self.size, self.notes = self.notes.start, Notes(start=self.notes.start)

    def begin_piece(self, notes: Notes) -> None:
        """Start a piece, dropping the bytes after the earlier pieces."""
        self.forget_piece()
        self.drop_notes()
        with open(self.path, "ab") as file:
            file.truncate(self.size)
        self._write_notes(replace(notes, start=self.size))

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
                    self.size += written
                    rest = rest[written:]
                progress.at(self.size)

    def finish_piece(self) -> None:
        """Keep the piece for good; the next one follows it."""
        self._write_notes(replace(self.notes, total=self.size - self.notes.start))
        self.notes = Notes(start=self.size)

    def drop_notes(self) -> None:
        """Let no other process go on with the file."""
        self._notes_path.unlink(missing_ok=True)

    def remove_unless_resumable(self) -> None:
        """Keep only what another process can go on with."""
        if self._read_notes() is None:
            self.drop_notes()
            self.path.unlink(missing_ok=True)

    def _write_notes(self, notes: Notes) -> None:
        self.notes = notes
        self._notes_path.write_text(json.dumps(asdict(notes)), encoding="utf-8")

    def _read_notes(self) -> Notes | None:
        try:
            return Notes(**json.loads(self._notes_path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            # None, or half of them: the process that wrote them was killed.
            return None


def sleep(seconds: float) -> None:
    """Wait before the next attempt."""
    time.sleep(seconds)


def download(urls: Sequence[str], part: PartialFile, size: int | None, progress: Progress) -> None:
    """Append the pieces at `urls` to each other in `part`, from where an earlier process stopped.

    Parameters
    ----------
    size : of all pieces together.

    Raises
    ------
    SourceFailure : one of them cannot be had, or has another size than promised.
    DownloadError : the disk has no room for it.
    """
    import requests

    first = part.adopt(urls)
    with requests.Session() as session:
        transfer = _Transfer(session, part, size, len(urls) == 1, progress)
        for url in urls[first:]:
            transfer.bring(url)
            part.finish_piece()


@dataclass
class _Transfer:
    session: Session
    part: PartialFile
    size: int | None
    is_single: bool
    progress: Progress

    def bring(self, url: str) -> None:
        """Fetch one piece, in several attempts if the failure may pass."""
        for attempt in range(RETRIES + 1):
            try:
                return self._attempt(url)
            except TryAgain as failure:
                if attempt == RETRIES:
                    raise SourceFailure(f"{failure} ({attempt + 1} attempts)") from failure
                # Never the same for two processes.
                seconds = 2.0**attempt * random.uniform(0.5, 1.5)
                if failure.wait is not None:
                    seconds = min(failure.wait, LONGEST_WAIT_SECONDS) + random.uniform(0, 0.5)
                _LOGGER.warning("%s: %s; trying again in %.1f s", url, failure, seconds)
                sleep(seconds)

    def _attempt(self, url: str) -> None:
        if self.part.size == self.part.notes.end:
            return self.progress.begin(self._expected(), self.part.size)
        with self._answer(url) as answer:
            self._check_status(url, answer)
            if answer.status_code == 206:
                self._check_rest(url, answer)
            else:
                self._begin(url, answer)
            self.progress.begin(self._expected(), self.part.size)
            limit = self.size
            if limit is None and self.part.notes.end is not None:
                limit = int(1.1 * self.part.notes.end)
            self.part.extend(_steadily(_chunks(answer)), limit, self.progress)
        end = self._expected() if self.is_single else self.part.notes.end
        if end is not None and self.part.size < end:
            raise TryAgain(f"the connection was cut after {self.part.size} of {end} bytes")

    def _expected(self) -> int | None:
        return self.size if self.size is not None else self.part.notes.end

    def _answer(self, url: str) -> Response:
        import requests
        from urllib3.exceptions import HTTPError, ProtocolError

        # The file as it lies on the server: a checksum is of that, not of what is unpacked.
        headers = {"Accept-Encoding": "identity"} | self.part.missing_range()
        timeouts = (CONNECT_TIMEOUT_SECONDS, READ_TIMEOUT_SECONDS)
        try:
            return self.session.get(url, headers=headers, stream=True, timeout=timeouts)
        except requests.Timeout as error:
            raise TryAgain("no answer in time") from error
        except (requests.RequestException, HTTPError) as error:
            cause = error.args[0] if error.args else error
            if isinstance(error, requests.ConnectionError) and isinstance(cause, ProtocolError):
                raise TryAgain(f"the connection was cut: {cause}") from error
            raise SourceFailure(str(getattr(cause, "reason", error))) from error

    def _check_status(self, url: str, answer: Response) -> None:
        status, reason = answer.status_code, f"{answer.status_code} {answer.reason}".strip()
        if status == 416:
            self.part.forget_piece()
            raise TryAgain(reason, wait=0)
        if status in (408, 429) or status >= 500:
            raise TryAgain(reason, _requested_wait(answer.headers.get("Retry-After", "")))
        if status not in (200, 206):
            raise SourceFailure(reason)
        # Some servers label gzip files as encoded; anything else would be stored packed.
        encoding = answer.headers.get("Content-Encoding", "identity")
        if encoding != "identity" and not urlsplit(url).path.endswith((".gz", ".tgz")):
            raise SourceFailure(f"is sent encoded as {encoding}, which was not asked for")

    def _begin(self, url: str, answer: Response) -> None:
        total = _length(answer)
        if self.is_single and None not in (total, self.size) and total != self.size:
            raise SourceFailure(f"has {total} bytes, expected {self.size}")
        if self.size is not None:
            ensure_space(self.part.path, self.size)
        elif total is not None:
            try:
                ensure_space(self.part.path, self.part.notes.start + total)
            except DownloadError as error:
                # What a server says is no reason not to ask the next one.
                raise SourceFailure(f"announces a file too large: {error}") from error
        etag, modified = answer.headers.get("ETag"), answer.headers.get("Last-Modified")
        self.part.begin_piece(Notes(url, total=total, etag=etag, modified=modified))

    def _check_rest(self, url: str, answer: Response) -> None:
        notes = self.part.notes
        content_range = re.match(_RANGE, answer.headers.get("Content-Range", ""))
        same = (
            notes.url == url
            and content_range is not None
            and int(content_range[1]) == self.part.size - notes.start
            and (notes.total is None or content_range[2] in ("*", str(notes.total)))
            and answer.headers.get("ETag", notes.etag) == notes.etag
            and answer.headers.get("Last-Modified", notes.modified) == notes.modified
        )
        if not same:
            self.part.forget_piece()
            raise TryAgain("the file has changed since a part of it was fetched", wait=0)
        ensure_space(self.part.path, self._expected())


def _length(answer: Response) -> int | None:
    """The length that a server announces, if it does.

    Raises
    ------
    SourceFailure : it is no length of a file.
    """
    announced = answer.headers.get("Content-Length")
    if announced is None:
        return None
    # The same header twice is one with a comma.
    lengths = {length.strip() for length in announced.split(",")}
    if len(lengths) > 1 or not re.fullmatch(_NUMBER, *lengths):
        raise SourceFailure(f"announces a length of {announced[:40]!r}, expected a number of bytes")
    return int(lengths.pop())


def _chunks(answer: Response) -> Iterator[bytes]:
    """Bytes as they come, few at a time if need be."""
    from urllib3.exceptions import HTTPError, ReadTimeoutError

    try:
        while chunk := answer.raw.read1(_CHUNK_BYTES, decode_content=False):
            yield chunk
    except ReadTimeoutError as error:
        raise TryAgain(f"nothing came for {READ_TIMEOUT_SECONDS:g} seconds") from error
    except HTTPError as error:
        raise TryAgain(f"the connection was cut: {error}") from error


def _steadily(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Chunks, as long as enough of them come.

    Raises
    ------
    SourceFailure : less than `LEAST_BYTES_PER_SECOND` in a window of waiting.
    """
    came, waited, since = 0, 0.0, time.monotonic()
    for chunk in chunks:
        # What is done with a chunk is not the server's time.
        waited += time.monotonic() - since
        came += len(chunk)
        yield chunk
        if waited >= WINDOW_SECONDS:
            if came < LEAST_BYTES_PER_SECOND * WINDOW_SECONDS:
                raise SourceFailure(
                    f"is too slow: {came} bytes came in {WINDOW_SECONDS:g} seconds, expected "
                    f"{LEAST_BYTES_PER_SECOND:g} a second. Another run goes on with what has come"
                )
            came, waited = 0, 0.0
        since = time.monotonic()


def _requested_wait(text: str) -> float | None:
    if text.strip().isdecimal():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
