"""Whole files or none: atomic writing, and checksums."""

from __future__ import annotations

import errno
import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fairflow.errors import FairflowError

NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
NOT_ALLOWED = {errno.EROFS, errno.EACCES, errno.EPERM}


@contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """A temporary path beside `path` that takes its place when the block ends without error.

    A process that dies inside the block leaves `path` as it was.

    Raises
    ------
    FairflowError : there is no room for the file, or its folder cannot be written to.
    """
    path = Path(path)
    temporary = _beside(path)
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


def _beside(path: Path) -> Path:
    """A new, empty file in the folder of `path`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise _no_room(path) from error
        if error.errno in NOT_ALLOWED:
            raise FairflowError(
                f"{path}: the folder cannot be written to ({error.strerror}). Change that, then "
                "start the same command again."
            ) from error
        raise
    os.close(handle)
    return Path(name)


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
