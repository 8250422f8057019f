"""Checksums of files, promised (written kind:hex) or recorded at first use; digests of names."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairflow.errors import DownloadError

_LENGTHS = {"md5": 32, "sha1": 40, "sha256": 64}


def with_ending(target: Path, ending: str) -> Path:
    """The path of `target` with an ending appended."""
    return target.with_name(target.name + ending)


def hasher(kind: str) -> Any:
    """A new hash object; md5 and sha1 work also where they are barred from cryptography."""
    return hashlib.new(kind, usedforsecurity=False)


@dataclass(frozen=True)
class Checksum:
    """A promised checksum.

    Attributes
    ----------
    record : the file that holds it, if it was recorded and not promised.
    """

    kind: str
    hexadecimal: str
    record: Path | None = None

    def __str__(self) -> str:
        return f"{self.kind} {self.hexadecimal}"

    @classmethod
    def parse(cls, text: str) -> Checksum:
        """Read "md5:hex", "sha1:hex" or "sha256:hex".

        Raises
        ------
        DownloadError : anything else.
        """
        kind, _, digits = text.lower().partition(":")
        if not re.fullmatch(rf"[0-9a-f]{{{_LENGTHS.get(kind, 0)}}}", digits) or not digits:
            raise DownloadError(
                f"{text!r} is no checksum. Expected md5:, sha1: or sha256: and the sum's 32, 40 or "
                "64 hexadecimal digits"
            )
        return cls(kind, digits)

    def difference(self, digest: str) -> str:
        """How a file with the sum `digest` differs and what can be done; empty if it does not."""
        if digest == self.hexadecimal:
            return ""
        if self.record is not None:
            return (
                f"has {self.kind} {digest}, expected {self.hexadecimal}, recorded when it was "
                f"first used. To trust the changed file, delete {self.record}"
            )
        return (
            f"has {self.kind} {digest}, expected {self.hexadecimal}. It is not the file that the "
            "configuration names; correct the checksum only if you trust the file"
        )


def sum_of(path: str | Path, kind: str) -> str:
    """The sum of a file's bytes, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, lambda: hasher(kind)).hexdigest()


def verify(path: str | Path, origin: object, checksum: str | None, size: int | None = None) -> None:
    """Compare a file with its promised size in bytes and checksum, "kind:hex", if there are any.

    Raises
    ------
    DownloadError : naming both sizes or both sums.
    """
    expected = None if checksum is None else Checksum.parse(checksum)
    if size is not None and (n_bytes := Path(path).stat().st_size) != size:
        raise DownloadError(
            f"{origin} has {n_bytes} bytes, expected {size}. It is not the file that the "
            "configuration names; correct its bytes only if you trust the file"
        )
    if expected and (difference := expected.difference(sum_of(path, expected.kind))):
        raise DownloadError(f"{origin} {difference}")


def recorded(target: Path) -> Checksum | None:
    """The sha256 that was written next to `target` at its first use, as sha256sum writes it.

    Raises
    ------
    DownloadError : there is a record that cannot be read.
    """
    path = with_ending(target, ".sha256")
    if not path.is_file():
        return None
    words = path.read_text(encoding="utf-8", errors="replace").split()
    if not words or not re.fullmatch(r"[0-9a-f]{64}", words[0]):
        raise DownloadError(f"{path} holds no sha256. Delete it to trust {target} as it is now")
    return Checksum("sha256", words[0], path)


def record(target: Path, digits: str) -> None:
    """Write the sha256 of `target` next to it; `sha256sum --check` can read it."""
    unfinished = with_ending(target, ".sha256.part")
    unfinished.write_text(f"{digits}  {target.name}\n", encoding="utf-8")
    os.replace(unfinished, with_ending(target, ".sha256"))


def sha256(path: str | Path) -> str:
    """The sha256 of a file's bytes, in hexadecimal."""
    return sum_of(path, "sha256")


def departure(path: Path, expected: str | None, changed: str) -> str | None:
    """How a file departs from its recorded sha256: "missing", or in the words `changed`."""
    if not path.is_file():
        return "missing"
    return None if sha256(path) == expected else changed


def identity_digest(*identity: object) -> bytes:
    """32 bytes that depend on these names and numbers alone, in their order."""
    return hashlib.sha256("\x1f".join(map(str, identity)).encode()).digest()
