"""Bytes from a URL, again and again until all have come."""

from __future__ import annotations

import logging
import random
import re
import time
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fairflow.errors import DownloadError
from fairflow.files.downloads import time_limits
from fairflow.files.downloads.failures import SourceFailure, TryAgain, ensure_space
from fairflow.files.downloads.partial_file import CHUNK_BYTES, Notes, PartialFile
from fairflow.files.downloads.progress import Progress
from fairflow.files.downloads.time_limits import TooSlow, in_time, steadily

if TYPE_CHECKING:
    from requests import RequestException, Response, Session
    from urllib3.exceptions import HTTPError

CONNECT_TIMEOUT_SECONDS = 15.0
READ_TIMEOUT_SECONDS = 60.0
RETRIES = 5
LONGEST_WAIT_SECONDS = 120.0
_LOGGER = logging.getLogger("fairflow.files.downloads")
# Of at most 18 digits: Python refuses to read thousands of them.
_NUMBER = r"[0-9]{1,18}"
_RANGE = rf"bytes ({_NUMBER})-{_NUMBER}/({_NUMBER}|\*)$"


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
                seconds = _pause(attempt, failure.wait)
                _LOGGER.warning("%s: %s; trying again in %.1f s", url, failure, seconds)
                sleep(seconds)

    def _attempt(self, url: str) -> None:
        if self.part.is_whole():
            return self.progress.begin(self._expected(), self.part.size)
        answer = self._answer(url)
        try:
            _check_status(answer, self.part)
            _check_encoding(url, answer)
            if answer.status_code == 206:
                self._check_rest(answer)
            else:
                self._begin(url, answer)
        except BaseException:
            answer.close()
            raise
        self.progress.begin(self._expected(), self.part.size)
        self._take_up(answer)
        end = self._expected() if self.is_single else self.part.end
        if end is not None and self.part.size < end:
            raise TryAgain(f"the connection was cut after {self.part.size} of {end} bytes")

    def _take_up(self, answer: Response) -> None:
        """Add what an answer brings, which is closed by whoever reads it."""
        try:
            with closing(steadily(_chunks(answer))) as blocks:
                self.part.extend(blocks, self._limit(), self.progress)
        except TooSlow as slow:
            if not slow.came:
                raise TryAgain(f"nothing came for {time_limits.WINDOW_SECONDS:g} seconds") from slow
            raise SourceFailure(
                f"is too slow: {slow}, expected {time_limits.LEAST_BYTES_PER_SECOND:g} a second. "
                "Another run goes on with what has come"
            ) from slow

    def _expected(self) -> int | None:
        return self.size if self.size is not None else self.part.end

    def _answer(self, url: str) -> Response:
        import requests
        from urllib3.exceptions import HTTPError

        # The file as it lies on the server: a checksum is of that, not of what is unpacked.
        headers = {"Accept-Encoding": "identity"} | self.part.missing_range()
        timeouts = (CONNECT_TIMEOUT_SECONDS, READ_TIMEOUT_SECONDS)
        ask = partial(self.session.get, url, headers=headers, stream=True, timeout=timeouts)
        try:
            return in_time(ask, leave=requests.Response.close)
        except TimeoutError as error:
            raise TryAgain("no answer in time") from error
        except (requests.RequestException, HTTPError) as error:
            raise _failure(error) from error

    def _begin(self, url: str, answer: Response) -> None:
        total = _length(answer)
        if self.is_single and None not in (total, self.size) and total != self.size:
            raise SourceFailure(f"has {total} bytes, expected {self.size}")
        needed = self.part.start + total if total is not None else None
        if self.size is not None:
            ensure_space(self.part.path, self.size)
        else:
            self._ensure_announced(needed)
        etag, modified = answer.headers.get("ETag"), answer.headers.get("Last-Modified")
        self.part.begin_piece(Notes(url, total=total, etag=etag, modified=modified))

    def _ensure_announced(self, needed: int | None) -> None:
        try:
            ensure_space(self.part.path, needed)
        except DownloadError as error:
            # What a server says is no reason not to ask the next one.
            raise SourceFailure(f"announces a file too large: {error}") from error

    def _check_rest(self, answer: Response) -> None:
        notes = self.part.notes
        content_range = re.match(_RANGE, answer.headers.get("Content-Range", ""))
        same = (
            notes is not None
            and content_range is not None
            and int(content_range[1]) == self.part.size - notes.start
            and content_range[2]
            in ("*", str(notes.total if notes.total is not None else content_range[2]))
            and answer.headers.get("ETag", notes.etag) == notes.etag
            and answer.headers.get("Last-Modified", notes.modified) == notes.modified
        )
        if not same:
            self.part.forget_piece()
            raise TryAgain("the file has changed since a part of it was fetched", wait=0)
        ensure_space(self.part.path, self._expected())

    def _limit(self) -> int | None:
        if self.size is not None:
            return self.size
        return None if self.part.end is None else int(1.1 * self.part.end)


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


def _check_status(answer: Response, part: PartialFile) -> None:
    status = answer.status_code
    if status in (200, 206):
        return
    reason = f"{status} {answer.reason}".strip()
    if status == 416:
        part.forget_piece()
        raise TryAgain(reason, wait=0)
    if status in (408, 429) or status >= 500:
        raise TryAgain(reason, _requested_wait(answer.headers.get("Retry-After", "")))
    raise SourceFailure(reason)


def _check_encoding(url: str, answer: Response) -> None:
    # Some servers label gzip files as encoded; anything else would be stored packed.
    encoding = answer.headers.get("Content-Encoding", "identity")
    if encoding != "identity" and not urlsplit(url).path.endswith((".gz", ".tgz")):
        raise SourceFailure(f"is sent encoded as {encoding}, which was not asked for")


def _chunks(answer: Response) -> Generator[bytes]:
    """Bytes as they come, few at a time if need be."""
    from urllib3.exceptions import HTTPError, ReadTimeoutError

    try:
        while chunk := answer.raw.read1(CHUNK_BYTES, decode_content=False):
            yield chunk
    except ReadTimeoutError as error:
        raise TryAgain(f"nothing came for {READ_TIMEOUT_SECONDS:g} seconds") from error
    except HTTPError as error:
        raise TryAgain(f"the connection was cut: {error}") from error
    finally:
        # Here, as who reads is the one who can close while nothing comes.
        answer.close()


def _failure(error: RequestException | HTTPError) -> SourceFailure | TryAgain:
    import requests
    from urllib3.exceptions import ProtocolError

    cause = error.args[0] if error.args else error
    if isinstance(error, requests.Timeout):
        return TryAgain("no answer in time")
    if isinstance(error, requests.ConnectionError) and isinstance(cause, ProtocolError):
        return TryAgain(f"the connection was cut: {cause}")
    return SourceFailure(str(getattr(cause, "reason", error)))


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


def _pause(attempt: int, requested: float | None) -> float:
    """Doubling, unless the server asks for something; never the same for two processes."""
    if requested is not None:
        return min(requested, LONGEST_WAIT_SECONDS) + random.uniform(0, 0.5)
    return 2.0**attempt * random.uniform(0.5, 1.5)
