"""EmbeddedTexts: the vectors of texts, usable wherever word vectors are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from fairflow.vectors.random_rows import RandomRows

POOLINGS = {
    "cls": "the first position",
    "mean": "mean over all positions, special ones included",
    "mean_inner": "mean over the positions that are not special",
    "last": "the last position that is not special",
    "max": "the largest value over all positions, dimension by dimension",
    "mean_sqrt_len": "sum over all positions divided by the square root of their number",
    "weightedmean": "mean over all positions, the n-th weighted with n",
    "lasttoken": "the last position, special or not",
}


@dataclass(frozen=True)
class EmbeddedTexts:
    """A vector per text.

    It has the interface of a `VectorStore`, so that `WordEmbeddingModel(embedded, name)` runs every
    metric for static vectors, with its statistics, on texts in place of words.

    Attributes
    ----------
    rows : (texts, dims), float32; NaN for a text without vector.
    n_pieces : of each text, special ones not counted.
    statuses, reasons : "ok" and None, or why a text has no vector.
    random : random words that stand in for the target words of a query, or None.
    carriers : texts with "{word}" that each word stood in, its vector being their mean; none for
        texts as they are.
    effects : carrier -> WEAT's effect size of the query, had it been the only one.
    """

    texts: tuple[str, ...]
    rows: np.ndarray
    pooling: str
    layer: int
    n_pieces: tuple[int, ...]
    statuses: tuple[str, ...]
    reasons: tuple[str | None, ...]
    random: RandomRows | None = None
    carriers: tuple[str, ...] = ()
    effects: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def _row_of(self) -> dict[str, int]:
        return {
            text: row
            for row, (text, status) in enumerate(zip(self.texts, self.statuses, strict=True))
            if status == "ok"
        }

    def __contains__(self, text: object) -> bool:
        return text in self._row_of

    def __len__(self) -> int:
        return len(self._row_of)

    def __iter__(self) -> Iterator[str]:
        return iter(self._row_of)

    def vectors(self, texts: Sequence[str]) -> np.ndarray:
        """(texts, dims), float32.

        Raises
        ------
        KeyError : a text without vector.
        """
        return self.rows[[self._row_of[text] for text in texts]]

    def lost(self, texts: Sequence[str]) -> dict[str, str]:
        """Why texts have no vector: text -> reason."""
        reason_of = dict(zip(self.texts, self.reasons, strict=True))
        return {
            text: reason_of.get(text) or "not embedded"
            for text in dict.fromkeys(texts)
            if text not in self
        }
