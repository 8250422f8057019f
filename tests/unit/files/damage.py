"""Files with one other bit, and what reading them gives."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fairflow.errors import FairflowError


def with_flipped_bits(path: Path, times: int) -> Iterator[int]:
    """Give the file one other bit after the other, chosen at random, and then the bytes it had."""
    data = path.read_bytes()
    draw = random.Random(13).randrange
    for position in (draw(8 * len(data)) for _ in range(times)):
        flipped = bytearray(data)
        flipped[position // 8] ^= 1 << position % 8
        path.write_bytes(flipped)
        yield position // 8
    path.write_bytes(data)


def outcomes(read: Callable[[Path], Any], path: Path, times: int) -> list[Any]:
    """What reading gives with one bit flipped: the contents, or what the error says."""
    found = []
    for _ in with_flipped_bits(path, times):
        try:
            found.append(read(path))
        except FairflowError as error:
            found.append(str(error))
    return found


def damaged(path: Path, what: str) -> str:
    return f"{path}: this {what} is damaged"


def assert_told(write, read, what, times, path):
    """That reading with a flipped bit gives the contents, or says what is damaged."""
    write(path)
    contents = repr(read(path))
    told = 0
    for outcome in outcomes(read, path, times):
        if isinstance(outcome, str):
            assert outcome.startswith(damaged(path, what))
            assert "Delete it: the next run makes it again." in outcome
            told += 1
        else:
            # The heads of pages have bits that no value depends on.
            assert repr(outcome) == contents
    assert told > 0.8 * times
