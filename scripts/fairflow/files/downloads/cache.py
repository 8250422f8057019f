"""Files that library functions download once for each user."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fairflow.files.downloads import fetch


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
    DownloadError : no answer from `url`, or the file is not the one of the first use or does not
        pass `check`; then nothing is kept.
    """
    fetch([{"url": url}], path, check=check)
    return path
