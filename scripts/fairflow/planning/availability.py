"""Which models a run may use, decided by the configuration alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from fairflow.planning.catalogue import download_name, file_of

PACKAGES, ALL = "packages", "all"
PUBLISHED, SKIP, FAIL = "published", "skip", "fail"


def why_absent(
    model: str, models: Mapping[str, Mapping[str, Any]], fetch: str | Collection[str]
) -> str | None:
    """Why a model cannot be used in this run, or None.

    Parameters
    ----------
    models : the catalogue. fetch : "packages" allows models that come in packages of the index or
        lie in local files; "all" allows every download; names allow these and those of "packages".
    """
    entry = models[model]
    base = entry["derive"]["from"] if "derive" in entry else model
    entry = models.get(base, {})
    if "sources" not in entry:
        return None
    if download_name(entry) is None:
        file = Path(file_of(entry))
        return None if file.is_file() else f"not here: there is no file {file}"
    if fetch == ALL or any("pypi" in source for source in entry["sources"]):
        return None
    if fetch != PACKAGES and {model, base} & set(fetch):
        return None
    size = f" of {megabytes(entry['bytes'])}" if "bytes" in entry else ""
    return f"not fetched: a download{size} that fetch in config.yaml does not allow"


def megabytes(size: int) -> str:
    """A size in bytes for people."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"
