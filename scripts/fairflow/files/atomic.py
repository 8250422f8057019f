"""Whole files or none: atomic writing, and checksums."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from fairflow.errors import FairflowError

NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
NOT_ALLOWED = {errno.EROFS, errno.EACCES, errno.EPERM}


@contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """A temporary path beside `path` that takes its place when the block ends without error.

    A process that dies inside the block leaves `path` as it was, and what it had written beside it
    until somebody writes the same file again.

    Raises
    ------
    FairflowError : there is no room for the file, or its folder cannot be written to.
    """
    path = Path(path)
    handle, temporary = _beside(path)
    try:
        try:
            yield temporary
        except Exception as error:
            # SQLite has an error of its own for it.
            if getattr(error, "errno", None) in NO_ROOM or "disk is full" in str(error):
                raise _no_room(path) from error
            raise
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
        os.close(handle)


@contextmanager
def atomic_folder(path: str | Path) -> Iterator[Path]:
    """An empty folder that takes the place of `path` when the block ends without error.

    A process that dies inside the block leaves `path` as it was, and what it had written beside it
    until somebody makes the same folder again.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_left_behind(path)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as temporary:
        handle = os.open(temporary, os.O_RDONLY)
        try:
            _hold(handle)
            made = Path(temporary, path.name)
            made.mkdir()
            yield made
            shutil.rmtree(path, ignore_errors=True)
            made.rename(path)
        finally:
            os.close(handle)


def _beside(path: Path) -> tuple[int, Path]:
    """A new, empty file in the folder of `path`, held by this process."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_left_behind(path)
        while True:
            handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
            # Somebody who took it for left behind may have been faster.
            if _hold(handle) is not False and os.path.exists(name):
                return handle, Path(name)
            os.close(handle)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise _no_room(path) from error
        if error.errno in NOT_ALLOWED:
            raise FairflowError(
                f"{path}: the folder cannot be written to ({error.strerror}). Change that, then "
                "start the same command again."
            ) from error
        raise


def _remove_left_behind(path: Path) -> None:
    """Remove what processes that died have left beside a file or folder; not what a process holds.

    The system releases a dead process's files. Where it has no such locks, or another user's file
    cannot be opened, the file stays.
    """
    left = re.compile(rf"\.{re.escape(path.name)}\.[a-z0-9_]{{8}}")
    for name in filter(left.fullmatch, os.listdir(path.parent)):
        left_behind = path.parent / name
        with suppress(OSError):
            is_folder = left_behind.is_dir()
            access = os.O_RDONLY if is_folder else os.O_RDWR
            handle = os.open(left_behind, access | os.O_NOFOLLOW)
            try:
                if _hold(handle):
                    (shutil.rmtree if is_folder else os.unlink)(left_behind)
            finally:
                os.close(handle)


def _hold(handle: int) -> bool | None:
    """Hold a file until it is closed: whether nobody else does; None if that cannot be told."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _no_room(path: Path) -> FairflowError:
    return FairflowError(
        f"{path}: no room is left on its disk, or in your quota; the file was not written. Make "
        "room, then start the same command again: it goes on where it stopped."
    )


def damaged(path: str | Path, what: str, error: Exception) -> FairflowError:
    """The error for a file of this workflow's that cannot be read."""
    return FairflowError(
        f"{path}: this {what} is damaged ({error}); something other than the workflow changed it. "
        "Delete it: the next run makes it again."
    )


def sha256(path: str | Path) -> str:
    """The sha256 of a file's bytes, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def shared_lock(path: str | Path) -> BinaryIO | None:
    """Hold a lock that others may share, until the file is closed or the process has ended.

    None where the folder cannot be written to or its file system has no locks. Whoever holds the
    lock alone makes this wait.
    """
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        file = open(path, "a+b")  # noqa: SIM115
        fcntl.flock(file, fcntl.LOCK_SH)
    except OSError:
        return None
    return file
