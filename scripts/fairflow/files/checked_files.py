"""Plain values as JSON and arrays as .npz, with checksums, so that nothing damaged is read."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

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


Made = TypeVar("Made")


def write_arrays(
    account: Mapping[str, Any], arrays: Mapping[str, np.ndarray], path: str | Path
) -> None:
    """Write plain values and named arrays into one file; equal content gives equal bytes."""
    text = np.frombuffer(json.dumps(account, ensure_ascii=False).encode(), dtype=np.uint8)
    buffer = io.BytesIO()
    # Arrays have any names; one that savez has a setting of would be refused.
    np.savez(buffer, account=text, **arrays)  # type: ignore[arg-type]
    with atomic_path(path) as temporary:
        temporary.write_bytes(buffer.getbuffer())


def read_arrays(
    path: str | Path,
    what: str,
    made_of: Callable[[dict[str, Any], dict[str, np.ndarray]], Made],
) -> Made:
    """The result of a function on the plain values and arrays that `write_arrays` wrote.

    Parameters
    ----------
    what : the file in a word or two, for the error.

    Raises
    ------
    FairflowError : the file is damaged: a changed bit does not pass.
    FileNotFoundError : there is no such file.
    """
    try:
        # numpy reads as much of a member as the shape in its head needs, and the checksum of one
        # that is not read to its end is never compared; here all of it is read.
        with zipfile.ZipFile(path) as file:
            members = {name.removesuffix(".npy"): file.read(name) for name in file.namelist()}
        arrays = {
            name: np.load(io.BytesIO(data), allow_pickle=False) for name, data in members.items()
        }
        return made_of(json.loads(arrays.pop("account").tobytes()), arrays)
    except FileNotFoundError:
        raise
    # What a damaged file brings about depends on where it is damaged.
    except Exception as error:
        raise damaged(path, what, error) from error
