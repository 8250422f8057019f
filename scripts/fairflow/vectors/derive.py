"""From the store of a model to that of a model derived from it, block by block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from fairflow.errors import VectorFormatError
from fairflow.files.atomic import sha256
from fairflow.vectors.companion_files import HEADER_BYTES
from fairflow.vectors.copying import FLOAT_BYTES
from fairflow.vectors.new_store import NewStore, new_store
from fairflow.vectors.store import VectorStore


class Change(Protocol):
    """What turns the vectors of one model into those of another."""

    def fit(self, base: VectorStore) -> None:
        """Learn from the base what `change` needs."""

    def change(self, words: Sequence[str], vectors: np.ndarray) -> np.ndarray:
        """The new vectors of some rows: (words, dims), float32."""


def derive(
    base: Mapping[str, str | Path],
    change: Change,
    vectors: str | Path,
    index: str | Path,
    card: str | Path,
    facts: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Write the vectors of `base`, changed, as a model of its own; return its card.

    The words and their row numbers are the base's, so that whoever draws by rows draws the same
    words from both. A repeated word, of which the first row alone is served, has no other row here.

    Parameters
    ----------
    base : `vectors`, `index` and `card` of a model.
    vectors, index, card : as `fairflow.vectors.convert` writes them, always binary. The index is
        written anew: it has the card and the offsets of its own vectors.
    facts : further ones for the card, besides the base's and the sha256 of the base's card.

    Raises
    ------
    VectorFormatError : the base is damaged, or the change gives something else than as many rows
        of the same length; nothing is written.
    """
    with VectorStore(**base) as store, new_store(vectors, index, card) as target:
        change.fit(store)
        _copy(store, change, target)
        inherited = ("rows", "dims", "source_sha256", "words_sha256")
        return target.finish(
            {key: store.facts[key] for key in inherited if key in store.facts}
            | {"binary": True, "base_card_sha256": sha256(base["card"])}
            | (facts or {})
        )


def _copy(store: VectorStore, change: Change, target: NewStore) -> None:
    offset = HEADER_BYTES
    with closing(store.rows_in_blocks()) as blocks:
        for words, rows, block in blocks:
            changed = _checked(change.change(words, block), block)
            records, entries = [], []
            for word, row, vector in zip(words, rows, changed, strict=True):
                head = word.encode() + b" "
                records += [head, vector.tobytes()]
                entries.append((word, row, offset + len(head)))
                offset += len(head) + store.dims * FLOAT_BYTES
            target.target.write(b"".join(records))
            target.add(entries)


def _checked(changed: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Changed rows as they are written."""
    if changed.shape != given.shape:
        raise VectorFormatError(
            f"the transform made vectors {changed.shape} of vectors {given.shape}; it must change "
            "each row and keep their number and length"
        )
    return np.ascontiguousarray(changed, dtype="<f4")
