"""One process at a time for one file."""

from __future__ import annotations

import fcntl
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fairflow.files.downloads.checksums import beside

_LOGGER = logging.getLogger("fairflow.files.downloads")


@contextmanager
def locked(target: Path) -> Iterator[None]:
    """Hold `TARGET.lock`; whoever comes second waits. The lock of a killed process is free.

    Raises
    ------
    OSError : the folder cannot be written to, or its file system has no locks.
    """
    path = beside(target, ".lock")
    handle = _acquired(path)
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink()
        os.close(handle)


def _acquired(path: Path) -> int:
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _lock(handle, path)
            if _is_still(handle, path):
                return handle
        except BaseException:
            os.close(handle)
            raise
        # The holder before us removed the file, and somebody may hold a new one by now.
        os.close(handle)


def _lock(handle: int, path: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        _LOGGER.info("waiting for the process that holds %s", path)
        fcntl.flock(handle, fcntl.LOCK_EX)


def _is_still(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
