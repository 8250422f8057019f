"""The pieces of a text: ids, where they stand, and which of them belong to a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from fairflow.language_models.errors import Invalid, LanguageModelError
from fairflow.language_models.items.spans import NEUTRAL_MASK, Span

if TYPE_CHECKING:
    from tokenizers import Encoding
    from transformers import PreTrainedTokenizerBase


@dataclass(frozen=True)
class TextPieces:
    """A text as its tokenizer sees it, special pieces included.

    Attributes
    ----------
    ids, tokens : (pieces,).
    spans : (pieces,) characters [start, end) of each piece, without white space in front.
    words : (pieces,) the number of the word that each is part of, None for special ones.
    inner : positions of the pieces that are not special, in order.
    encoding : what the tokenizer said.
    """

    text: str
    ids: tuple[int, ...]
    inner: tuple[int, ...]
    encoding: Encoding

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        return tuple(self.encoding.tokens)

    @cached_property
    def words(self) -> tuple[int | None, ...]:
        return tuple(self.encoding.word_ids)

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        return tuple(_without_space(self.text, *span) for span in self.encoding.offsets)

    def within(self, span: Span) -> list[int]:
        """Positions of the pieces of a word that stands at `span`.

        Raises
        ------
        Invalid : "split_word", a piece crosses the word's border; "empty", it has no piece.
        """
        start, end = span
        positions = []
        for position in self.inner:
            first, last = self.spans[position]
            if first >= start and last <= end and first < last:
                positions.append(position)
            elif first < end and last > start:
                raise Invalid(
                    "split_word",
                    f"{self.tokens[position]!r} is only partly in {self.text[start:end]!r}",
                )
        if not positions:
            raise Invalid("empty", f"{self.text[start:end]!r} has no pieces in {self.text!r}")
        return positions


class Pieces:
    """The tokenizer of a model, with the checks that an item must pass.

    Parameters
    ----------
    tokenizer : a fast tokenizer of transformers.
    max_pieces : how many pieces the model can take, None for any number.

    Raises
    ------
    LanguageModelError : a tokenizer that does not tell where its pieces stand.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, max_pieces: int | None = None) -> None:
        if not getattr(tokenizer, "is_fast", False):
            raise LanguageModelError(
                f"{type(tokenizer).__name__} does not tell which characters its pieces come from; "
                "load the model's fast tokenizer (a tokenizer.json in its folder)"
            )
        self.tokenizer = tokenizer
        self.max_pieces = max_pieces
        self.unknown_id = tokenizer.unk_token_id
        self.mask_id = tokenizer.mask_token_id
        self.special_ids = frozenset(tokenizer.all_special_ids) - {self.unknown_id}
        # GPT-2 names one piece for everything, which is not unknown text.
        if self.unknown_id in (tokenizer.eos_token_id, tokenizer.bos_token_id):
            self.special_ids |= {self.unknown_id}
            self.unknown_id = None

    def encode(self, texts: Sequence[str]) -> list[TextPieces]:
        """The pieces of texts, special ones included; equal texts are encoded once."""
        distinct = list(dict.fromkeys(texts))
        if not distinct:
            return []
        mask = self.tokenizer.mask_token
        plain = [text.replace(NEUTRAL_MASK, mask) if mask else text for text in distinct]
        encodings = self.tokenizer(plain, add_special_tokens=True).encodings
        encoded = {
            text: self._pieces(text, encoding)
            for text, encoding in zip(plain, encodings, strict=True)
        }
        by_text = dict(zip(distinct, plain, strict=True))
        return [encoded[by_text[text]] for text in texts]

    def _pieces(self, text: str, encoding: Encoding) -> TextPieces:
        ids, special = encoding.ids, encoding.special_tokens_mask
        inner = tuple(
            position
            for position, piece in enumerate(ids)
            if not special[position] and piece not in self.special_ids
        )
        return TextPieces(text, tuple(ids), inner, encoding)

    def check(self, pieces: TextPieces, extra: int = 0) -> None:
        """Refuse a text that cannot be scored whole.

        Parameters
        ----------
        extra : pieces that will be put in front or behind.

        Raises
        ------
        Invalid : "empty", "unknown" or "too_long".
        """
        if not pieces.inner:
            raise Invalid("empty", f"the text {pieces.text!r} has no pieces")
        if self.unknown_id is not None and self.unknown_id in pieces.ids:
            lost = [
                pieces.text[slice(*pieces.spans[position])]
                for position, piece in enumerate(pieces.ids)
                if piece == self.unknown_id
            ]
            raise Invalid("unknown", f"not in the vocabulary: {', '.join(map(repr, lost))}")
        length = len(pieces.ids) + extra
        if self.max_pieces is not None and length > self.max_pieces:
            raise Invalid("too_long", f"{length} pieces, the model takes {self.max_pieces}")

    def finding(self, pieces: TextPieces, extra: int = 0) -> Invalid | None:
        """What `check` has against a text, or None."""
        try:
            self.check(pieces, extra)
        except Invalid as finding:
            return finding
        return None

    def start_id(self) -> int:
        """The piece that stands for the start of a text in a causal model.

        Raises
        ------
        LanguageModelError : the tokenizer has neither a begin nor an end.
        """
        for piece in (self.tokenizer.bos_token_id, self.tokenizer.eos_token_id):
            if piece is not None:
                return piece
        raise LanguageModelError("the tokenizer has neither a begin nor an end of text")


def _without_space(text: str, start: int, end: int) -> Span:
    """A span without its leading white space, which many tokenizers count to the next word."""
    while start < end and text[start].isspace():
        start += 1
    return start, end
