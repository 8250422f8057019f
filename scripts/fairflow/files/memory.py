"""What an earlier process found out, in a file; one that is damaged, or of other code, is empty."""

from __future__ import annotations

import atexit
import hashlib
import json
from contextlib import suppress
from pathlib import Path

from fairflow.errors import FairflowError
from fairflow.files.atomic import atomic_path

# Of more entries the oldest are forgotten.
MOST = 2_000


class Memory(dict[str, str]):
    """Texts by key, which are added to a file when Python ends, if it can be written.

    Parameters
    ----------
    file : its first line is a checksum of `state` and the rest. state : of what made the texts.
    keep : whether to add to the file.
    """

    def __init__(self, file: Path, state: str, keep: bool = True) -> None:
        super().__init__()
        self._file, self._state = file.absolute(), state
        with suppress(OSError, ValueError):
            seal, _, known = file.read_bytes().partition(b"\n")
            self.update(json.loads(known) if seal == self._seal(known) else {})
        self._before = [*self]
        if keep:
            atexit.register(self._save)

    def _seal(self, known: bytes) -> bytes:
        return hashlib.sha256(self._state.encode() + known).hexdigest().encode()

    def _save(self) -> None:
        if self.keys() - self._before:
            known = json.dumps(dict([*self.items()][-MOST:])).encode()
            with suppress(FairflowError, OSError), atomic_path(self._file) as temporary:
                temporary.write_bytes(self._seal(known) + b"\n" + known)
