"""JSON files with a checksum of their contents, so that no letter can change unnoticed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairflow.errors import FairflowError
from fairflow.files.atomic import atomic_path, damaged

_SEAL = "sha256"


def write_sealed(contents: Mapping[str, Any], path: str | Path) -> None:
    """Write plain values and, under the last key, their checksum; keys stay in their order."""
    with atomic_path(path) as temporary:
        temporary.write_text(_text({**contents, _SEAL: _seal(contents)}), encoding="utf-8")


def read_sealed(path: str | Path, what: str) -> dict[str, Any]:
    """The inverse of `write_sealed`.

    Parameters
    ----------
    what : the file in a word or two, for the error.

    Raises
    ------
    FairflowError : the contents are not those that were written.
    FileNotFoundError : there is no such file.
    """
    data = Path(path).read_bytes()
    try:
        contents = json.loads(data)
        if not isinstance(contents, dict) or contents.pop(_SEAL, None) != _seal(contents):
            raise FairflowError("its contents are not those that were written")
    except (ValueError, RecursionError, FairflowError) as error:
        raise damaged(path, what, error) from error
    return contents


def _seal(contents: Mapping[str, Any]) -> str:
    return hashlib.sha256(_text(contents).encode("utf-8", "surrogatepass")).hexdigest()


def _text(contents: Mapping[str, Any]) -> str:
    return json.dumps(contents, ensure_ascii=False, indent=1) + "\n"
