"""EmbeddingVocabulary: the whole words among a tokenizer's pieces, embedded when needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fairflow.language_models.embedded_texts import EmbeddedTexts

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
    """Texts with vectors, and a vocabulary from which random words can be drawn.

    It has the interface of `fairflow.vectors.random_rows.WordOrder`. Tokenizers number their pieces
    about as frequent ones first, as files of word vectors do.

    Parameters
    ----------
    embedded : the texts of a query. pieces : of the tokenizer, in order.
    embed : gives the vectors of further texts.
    """

    def __init__(
        self,
        embedded: EmbeddedTexts,
        pieces: Sequence[str],
        embed: Callable[[Sequence[str]], EmbeddedTexts],
    ) -> None:
        self._embedded, self._embed = embedded, embed
        self._words = whole_words(pieces)
        self._row_of = {word: row for row, word in enumerate(self._words)}
        self._known: dict[str, np.ndarray] = {}
        self.rows = len(self._words)

    def __contains__(self, text: object) -> bool:
        return text in self._embedded

    def __len__(self) -> int:
        return len(self._embedded)

    def row_of(self, word: str) -> int:
        """The place of a word, or of its lower-case form, among the whole words.

        KeyError for a word in several pieces.
        """
        return self._row_of[word if word in self._row_of else word.lower()]

    def at_rows(self, rows: Sequence[int], step: int = 1) -> tuple[dict[int, str], np.ndarray]:
        """The words at some places, and their vectors."""
        words = {row: self._words[row] for row in rows}
        return words, self.vectors(list(words.values()))

    def vectors(self, texts: Sequence[str]) -> np.ndarray:
        """(texts, dims), float32: of the query's texts, or of words of the vocabulary."""
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
