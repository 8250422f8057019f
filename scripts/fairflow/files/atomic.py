"""Whole files or none: atomic writing of texts, JSON, CSV and folders, locks, room on the disk."""

from __future__ import annotations

import csv
import errno
import fcntl
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from fairflow.errors import DownloadError, FairflowError

# EFBIG: a limit on the size of files (ulimit -f), which users meet as a full disk.
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
# The last two: a file, or a link to nothing, is where the folder should be.
NOT_ALLOWED = {errno.EROFS, errno.EACCES, errno.EPERM, errno.EEXIST, errno.ENOTDIR}


@contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """A temporary path that replaces `path` when the block ends without error.

    A process that dies inside the block leaves `path` as it was, and its temporary file in the same
    folder until somebody writes the same file again.

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
            # SQLite raises a different error.
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

    A process that dies inside the block leaves `path` as it was, and its temporary folder until
    somebody makes the same folder again.
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
    """Remove the temporary files that dead processes have left; not those that a process holds.

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
    """Lock a file until it is closed: whether that worked; None if the system has no locks."""
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
    """The error for a file of this workflow that cannot be read."""
    return FairflowError(
        f"{path}: this {what} is damaged ({error}); something other than the workflow changed it. "
        "Delete it: the next run makes it again."
    )


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


def ensure_space(path: Path, needed: int | None) -> None:
    """Compare what `path`, written already in part or not, will need with what its disk has.

    Raises
    ------
    DownloadError : saying how much is needed and how much is free.
    """
    written = path.stat().st_size if path.is_file() else 0
    if needed is not None and needed - written > shutil.disk_usage(path.parent).free:
        raise _room_for_download(path, needed)


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
        if error.errno not in NO_ROOM:
            raise
        raise _room_for_download(path, needed()) from error


def _room_for_download(path: Path, needed: int | None) -> DownloadError:
    written = path.stat().st_size if path.is_file() else 0
    whole = f"{needed} bytes in all" if needed is not None else "an unknown number of bytes"
    free = shutil.disk_usage(path.parent).free
    return DownloadError(
        f"no space left for {path}: {whole} needed, {written} written, {free} free in "
        f"{path.parent}. Make room and run again; what has come over the network is kept"
    )


def write_text(text: str, path: str | Path) -> None:
    """Write a text as UTF-8."""
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def read_json(path: str | Path) -> Any:
    """The contents of a JSON file that this project wrote."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def write_json(contents: Any, path: str | Path) -> None:
    """Write plain values; keys stay in their order."""
    write_text(json.dumps(contents, ensure_ascii=False, indent=1) + "\n", path)


def write_rows(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], path: str | Path) -> None:
    """Write rows as CSV with a head line; None is empty."""
    with atomic_path(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
