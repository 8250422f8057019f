"""The whole words among a tokenizer's pieces, and texts that are embedded when needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fairflow.language_models.slices.embedded_texts import EmbeddedTexts

# What tokenizers put before a piece that begins a word, and before one that does not.
BYTES_BEGIN, BEGIN, INSIDE = "Ġ", "▁", "##"


def whole_words(pieces: Sequence[str]) -> list[str]:
    """The pieces that are words of letters by themselves, in their order, each once.

    Of pieces of bytes only ASCII ones are taken: others do not show their letters.
    """
    # Each mark may also be a letter or sign of its own in another tokenizer: the commonest counts.
    marked = Counter(m for p in pieces for m in (BYTES_BEGIN, BEGIN, INSIDE) if p.startswith(m))
    commonest = next((mark for mark, _ in marked.most_common(1)), INSIDE)
    begin = "" if commonest == INSIDE else commonest
    words = (piece.removeprefix(begin) for piece in pieces if piece.startswith(begin))
    letters = (word for word in words if word.isalpha() and len(word) > 1)
    return list(dict.fromkeys(w for w in letters if w.isascii() or begin != BYTES_BEGIN))


class EmbeddingVocabulary:
    """Texts with vectors, and further ones that are embedded when they are asked for.

    Parameters
    ----------
    embedded : the texts of a query, which alone count as words of the model.
    embed : gives the vectors of further texts.
    """

    def __init__(
        self, embedded: EmbeddedTexts, embed: Callable[[Sequence[str]], EmbeddedTexts]
    ) -> None:
        self._embedded, self._embed = embedded, embed
        self._known: dict[str, np.ndarray] = {}

    def __contains__(self, text: object) -> bool:
        return text in self._embedded

    def __len__(self) -> int:
        return len(self._embedded)

    def vectors(self, texts: Sequence[str]) -> np.ndarray:
        """(texts, dims), float32: of the query's texts, or of others."""
        new = [text for text in texts if text not in self._embedded and text not in self._known]
        if new:
            self._known |= dict(zip(new, self._embed(new).rows, strict=True))
        rows = [
            self._embedded.vectors([text])[0] if text in self._embedded else self._known[text]
            for text in texts
        ]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self._embedded.rows.shape[1])


def pieces_of(tokenizer: Any) -> list[str]:
    """The pieces of a tokenizer of transformers, in the order of their ids."""
    return tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
