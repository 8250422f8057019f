"""The words of a model that a query looks at besides its own, and which way they leaned before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

_DIRECTIONS, _LEANING = "looked_at_directions", "looked_at_leaning"


@dataclass(frozen=True, eq=False)
class LookedAt:
    """The declared vocabulary of a query in a model.

    Attributes
    ----------
    words : in the order of the model. directions : (words, dims), float32, unit vectors.
    leaning : of each, cos(w, first) - cos(w, second) with the words of the first declared pair, in
        the model that was there before any debiasing, (words,), from -2 to 2; None without it.
    total : words that were looked at before, those lost on the way counted.
    note : why there is no leaning, else "".
    """

    words: tuple[str, ...]
    directions: np.ndarray
    leaning: np.ndarray | None = None
    total: int = 0
    note: str = ""

    @property
    def account(self) -> dict[str, Any]:
        """What of it is no array, as plain values."""
        return {"words": list(self.words), "total": self.total, "note": self.note}

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """Its arrays by name."""
        arrays = {_DIRECTIONS: self.directions}
        return arrays if self.leaning is None else arrays | {_LEANING: self.leaning}


def looked_at_of(account: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> LookedAt:
    """The inverse of `LookedAt.account` and `LookedAt.arrays`."""
    return LookedAt(
        words=tuple(account["words"]),
        directions=arrays[_DIRECTIONS],
        leaning=arrays.get(_LEANING),
        total=account["total"],
        note=account["note"],
    )
