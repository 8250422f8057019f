"""ScoredText: the log-probabilities of the pieces of one text in one variant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from fairflow.language_models.errors import Invalid, ItemError


@dataclass(frozen=True)
class ScoredText:
    """What a model says about a text.

    Attributes
    ----------
    text_id, variant : of the request.
    n_pieces : of the whole text, special ones not counted.
    status, reason : "ok" and None, or why nothing was scored.
    positions, words, piece_ids, pieces : of each scored piece.
    logp : (scored,) natural logarithms, float64.
    shared : whether the text's partner has the piece too; None without partner.
    attention : (scored,) paid to the piece; None unless asked for.
    """

    text_id: str
    variant: str
    text: str
    n_pieces: int
    status: str = "ok"
    reason: str | None = None
    positions: tuple[int, ...] = ()
    words: tuple[int | None, ...] = ()
    piece_ids: tuple[int, ...] = ()
    pieces: tuple[str, ...] = ()
    logp: np.ndarray = field(default_factory=lambda: np.empty(0))
    shared: tuple[bool, ...] | None = None
    attention: np.ndarray | None = None

    @property
    def total(self) -> float:
        """Sum of the log-probabilities."""
        return float(self.logp.sum())

    @property
    def mean(self) -> float:
        """Mean of the log-probabilities."""
        return float(self.logp.mean())

    @property
    def n_scored(self) -> int:
        """Number of scored pieces."""
        return len(self.positions)

    def among(self, shared: bool) -> np.ndarray:
        """Log-probabilities of the pieces that the pair shares, or of those that differ."""
        chosen = np.array([flag == shared for flag in self.shared or ()], dtype=bool)
        return self.logp[chosen]


class ScoredTexts:
    """Scored texts by id and variant."""

    def __init__(self, texts: Iterable[ScoredText]) -> None:
        self._texts: Mapping[tuple[str, str], ScoredText] = {
            (text.text_id, text.variant): text for text in texts
        }

    def of(self, text_id: str, variant: str) -> ScoredText:
        """One text.

        Raises
        ------
        ItemError : it was not scored in this variant, so the slice is of another query.
        """
        try:
            return self._texts[text_id, variant]
        except KeyError:
            raise ItemError(
                f"text {text_id!r} was not scored in variant {variant!r}; "
                "make the token slice again"
            ) from None

    def valid(self, text_id: str, variant: str) -> ScoredText:
        """One text that was scored.

        Raises
        ------
        Invalid : it could not be scored. ItemError : as `of`.
        """
        text = self.of(text_id, variant)
        if text.status != "ok":
            raise Invalid(text.status, text.reason)
        return text
