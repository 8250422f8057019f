"""The names that a user may write, which need not be those of the configuration to the letter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

from fairflow.errors import FairflowError

MOST_HINTS = 3


def meant(what: str, given: str, names: Iterable[str]) -> str:
    """The name of a model, query or the like that stands for what was written.

    It need not have the same case and signs: `weat:6` is weat_6.

    Parameters
    ----------
    what : "query", say, for the sentence.

    Raises
    ------
    FairflowError : there is none, or several; near ones are named.
    """
    names = list(names)
    alike = [given] if given in names else [n for n in names if _plain(n) == _plain(given)]
    if len(alike) == 1:
        return alike[0]
    near = alike or _near(given, names)
    hint = f"Did you mean {' or '.join(near)}?" if near else "Nothing has a name like it."
    plural = what[:-1] + "ies" if what.endswith("y") else what + "s"
    raise FairflowError(
        f"there is no {what} {given!r}. {hint} 'fairflow list {plural}' shows all {len(names)}"
    )


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")


def _near(given: str, names: list[str]) -> list[str]:
    by_plain = {_plain(name): name for name in names}
    close = get_close_matches(_plain(given), by_plain, n=MOST_HINTS, cutoff=0.6)
    # A part of a name is often all that is remembered.
    parts = [plain for plain in by_plain if _plain(given) in plain]
    return [by_plain[plain] for plain in dict.fromkeys([*close, *parts])][:MOST_HINTS]
