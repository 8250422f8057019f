"""Entries of a model catalogue: where a file comes from and how the vectors lie in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

DOWNLOADS = "results/downloads"


@dataclass(frozen=True)
class Model:
    """A model: a file to fetch and convert, or a transformation of another model's vectors."""

    name: str
    label: str
    entry: Mapping[str, Any]

    @property
    def store(self) -> str:
        """The model whose files hold the vectors."""
        return self.entry["derive"]["from"] if "derive" in self.entry else self.name

    @property
    def file(self) -> str:
        """The file that holds the vectors: a download, or the user's own."""
        return file_of(self.entry)

    @property
    def packing(self) -> dict[str, Any]:
        """How the vector file lies in that file, and what it must be once unpacked."""
        return packing_of(self.entry)

    @property
    def word_files(self) -> list[str]:
        """The file of words that a format without words of its own needs."""
        return [self.entry["words"]] if "words" in self.entry else []

    @property
    def prefix(self) -> str | None:
        """Put in front of each word before it is sought."""
        return self.entry.get("vocab_prefix")

    @property
    def normalised(self) -> bool:
        """Whether each vector is divided by its length when it is read."""
        return "derive" in self.entry


@dataclass(frozen=True)
class Download:
    """A file to fetch, which several models or lexicons may share."""

    sources: list[dict[str, Any]]
    size: int | None
    checksum: str | None


def download_name(entry: Mapping[str, Any]) -> str | None:
    """The name of the file that an entry downloads; None for a file of the user's own."""
    for source in entry["sources"]:
        if "url" in source:
            return source["url"].rstrip("/").rsplit("/", 1)[1]
        if "pypi" in source:
            return source["pypi"].replace("==", "-") + ".whl"
    return None


def file_of(entry: Mapping[str, Any]) -> str:
    """The path at which the file of an entry lies."""
    name = download_name(entry)
    return f"{DOWNLOADS}/{name}" if name else entry["sources"][0]["file"]


def packing_of(entry: Mapping[str, Any]) -> dict[str, Any]:
    """How the wanted file lies in the one of `file_of`: see `open_packed`."""
    packed = "archive" in entry
    packing = {
        "archive": entry.get("archive"),
        "member": entry.get("member"),
        "size": entry.get("member_bytes" if packed else "bytes"),
        "checksum": entry.get("member_checksum" if packed else "checksum"),
    }
    return {key: value for key, value in packing.items() if value is not None}
