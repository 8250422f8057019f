"""Files that library functions download once for each user."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from fairflow.downloads import fetch
from fairflow.errors import DownloadError
from fairflow.files import atomic_path, sha256

_TIMEOUT_SECONDS = 60


def cache_folder() -> Path:
    """fairflow's folder in $XDG_CACHE_HOME, which is ~/.cache by default."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "fairflow"


def fetch_pinned(entry: Mapping[str, Any], path: Path) -> None:
    """Bring the file of a pinned entry to `path`, unpacked.

    Parameters
    ----------
    entry : `sources` and `checksum`, with `member` and `member_checksum` if it is packed.

    Raises
    ------
    DownloadError : nothing could be fetched, or the bytes are not those promised.
    """
    fetch(
        entry["sources"],
        path,
        entry["checksum"],
        entry.get("bytes"),
        member=entry.get("member"),
        member_checksum=entry.get("member_checksum"),
    )


def trusted_on_first_use(url: str, path: Path, check: Callable[[Path], None]) -> Path:
    """Download `url` to `path` unless it is there, and make sure that it never changes.

    The first download is believed if it passes `check`; its sha256 is written beside it, in
    `path`.sha256, and every later call compares the file with that.

    Raises
    ------
    DownloadError : no answer from `url`, or the file is not the one of the first use.
    FairflowError : from `check`; then nothing is kept.
    """
    record = path.with_name(f"{path.name}.sha256")
    if not path.is_file():
        with atomic_path(path) as temporary:
            temporary.write_bytes(_content(url))
            check(temporary)
    if not record.is_file():
        with atomic_path(record) as temporary:
            temporary.write_text(f"{sha256(path)}\n", encoding="ascii")
    found, expected = sha256(path), record.read_text(encoding="ascii").strip()
    if found != expected:
        raise DownloadError(
            f"{path} has sha256 {found}, expected {expected}, recorded when it was first used. To "
            f"download it again, delete it; to trust the changed file, delete {record}"
        )
    return path


def _content(url: str) -> bytes:
    try:
        with urlopen(url, timeout=_TIMEOUT_SECONDS) as answer:
            return answer.read()
    except (OSError, HTTPException) as error:
        raise DownloadError(f"could not fetch {url}: {error}") from error
