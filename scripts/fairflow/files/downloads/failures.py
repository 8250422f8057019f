"""What can go wrong with one source, and with the disk."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from fairflow.errors import DownloadError

# EFBIG: a limit on the size of files (ulimit -f), which users meet as a full disk.
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


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


def ensure_space(path: Path, needed: int | None) -> None:
    """Compare what `path`, written already in part or not, will need with what its disk has.

    Raises
    ------
    DownloadError : saying how much is needed and how much is free.
    """
    written = path.stat().st_size if path.is_file() else 0
    if needed is not None and needed - written > shutil.disk_usage(path.parent).free:
        raise _full(path, needed)


@contextmanager
def disk_may_fill(path: Path, needed: Callable[[], int | None]) -> Iterator[None]:
    """Explain a full disk.

    Parameters
    ----------
    needed : gives the size of the whole file at `path`, or None if nobody has said it.

    Raises
    ------
    DownloadError : saying how much is needed and how much is free.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise _full(path, needed()) from error


def _full(path: Path, needed: int | None) -> DownloadError:
    written = path.stat().st_size if path.is_file() else 0
    whole = f"{needed} bytes in all" if needed is not None else "an unknown number of bytes"
    free = shutil.disk_usage(path.parent).free
    return DownloadError(
        f"no space left for {path}: {whole} needed, {written} written, {free} free in "
        f"{path.parent}. Make room and run again; what has come over the network is kept"
    )
