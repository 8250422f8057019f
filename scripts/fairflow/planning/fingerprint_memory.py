"""Fingerprints of an earlier run, as long as no line of the library and its scripts has changed.

To parse all of the library takes seconds, to read it milliseconds.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from fairflow.errors import FairflowError
from fairflow.files.atomic import atomic_path

SCRIPTS = Path(__file__).parents[2]


def remembering(
    fingerprint: Callable[..., str], memory: Path, code: Path = SCRIPTS, keep: bool = True
) -> Callable[..., str]:
    """The same function, which asks a file first and adds to it when Python ends.

    Parameters
    ----------
    fingerprint : of names of modules. memory : the file; one that cannot be read or written, or
        is of other code or another Python, counts for nothing.
    code : the folder of all code that fingerprints are taken of. keep : whether to add to it.
    """
    state = _state(code)
    known = _read(memory, state)
    before = len(known)

    @cache
    def remembered(*modules: str) -> str:
        key = " ".join(map(_key, modules))
        if key not in known:
            known[key] = fingerprint(*modules)
        return known[key]

    def save() -> None:
        if len(known) > before:
            with suppress(FairflowError, OSError), atomic_path(memory) as temporary:
                temporary.write_text(json.dumps({"state": state, "fingerprints": known}))

    if keep:
        atexit.register(save)
    return remembered


def _key(module: str) -> str:
    """The name of a module; with its contents where it is a file, maybe outside the code."""
    if not module.endswith(".py"):
        return module
    return f"{module} {hashlib.sha256(Path(module).read_bytes()).hexdigest()}"


def _read(memory: Path, state: str) -> dict[str, str]:
    try:
        contents = json.loads(memory.read_text(encoding="utf-8"))
        return dict(contents["fingerprints"]) if contents["state"] == state else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _state(code: Path) -> str:
    """A checksum of all modules in a folder, with their places; the words of Python differ, too."""
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(_modules(code)):
        contents = path.read_bytes()
        digest.update(f"{path.relative_to(code)} {len(contents)}\n".encode())
        digest.update(contents)
    return digest.hexdigest()


def _modules(code: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(code):
        yield from (Path(folder, name) for name in names if name.endswith(".py"))
