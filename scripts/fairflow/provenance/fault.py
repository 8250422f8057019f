"""What is not as a run recorded it, and what mends it."""

from __future__ import annotations

from dataclasses import dataclass

AGAIN = "make mend makes it again"
UNPACK = "take it from the archive again"


@dataclass(frozen=True)
class Fault:
    """A file that is not as recorded.

    Attributes
    ----------
    text : file, what is wrong, and a command that mends it.
    remove : files that have to go, so that the workflow makes them again.
    ask : files that the workflow has to be asked for by name, as no result of a run needs them any
        more once it is there.
    by_hand : whether somebody has to mend it before the workflow can run, or record anything.
    """

    text: str
    remove: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    by_hand: bool = False
