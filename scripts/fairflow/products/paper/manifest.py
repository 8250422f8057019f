"""Checksums of all products, as `sha256sum --check` reads them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fairflow.files.atomic import sha256


def manifest(paths: Iterable[str | Path], folder: str | Path) -> str:
    """A line per file, 64 hexadecimal digits and the path from `folder`, sorted by path.

    Raises
    ------
    ValueError : a file is not below the folder.
    """
    lines = {Path(path).relative_to(folder).as_posix(): sha256(path) for path in paths}
    return "".join(f"{lines[name]}  {name}\n" for name in sorted(lines))
