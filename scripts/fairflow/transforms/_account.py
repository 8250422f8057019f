"""What the record of a derived model tells of words: how many change, and which are missing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol


class Sized(Protocol):
    """A base, of which the number of words is asked."""

    def __len__(self) -> int: ...


def account(
    base: Sized,
    untouched: Collection[str] = (),
    rows: Collection[str] = (),
    only: Collection[str] | None = None,
    missing: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, Any]:
    """Facts of a derivation.

    Parameters
    ----------
    untouched : words of the base that keep their directions. rows : those that get vectors of
        their own, untouched or not. only : those that change besides; None for all but the
        untouched. missing : name of a list -> its words that the base lacks.
    """
    kept = len(set(untouched) - set(rows))
    changed = len(base) - kept if only is None else len({*only, *rows})
    return {
        "words": len(base),
        "words_changed": changed,
        "words_listed": sorted(set(rows)),
        "words_missing": {name: list(words) for name, words in (missing or {}).items() if words},
    }
