"""The tokens of a text, with ids and words, and the tokens that are whole words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fairflow.language_models.errors import Invalid, LanguageModelError
from fairflow.language_models.items.item import NEUTRAL_MASK, Span
from fairflow.language_models.slices.answers import EmbeddedTexts

if TYPE_CHECKING:
    from tokenizers import Encoding
    from transformers import PreTrainedTokenizerBase


@dataclass(frozen=True)
class TokenizedText:
    """A tokenized text, including special tokens.

    Attributes
    ----------
    ids, tokens : (tokens,).
    spans : (tokens,) characters [start, end) of each token, without white space in front.
    words : (tokens,) the number of the word that each is part of, None for special ones.
    inner : positions of the tokens that are not special, in order.
    encoding : the tokenizer's output.
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
        # Many tokenizers include the white space before a word.
        return tuple(
            (end - len(self.text[start:end].lstrip()), end) for start, end in self.encoding.offsets
        )

    def within(self, span: Span) -> list[int]:
        """Positions of the tokens of the word at `span`.

        Raises
        ------
        Invalid : "split_word", a token crosses the word's border; "empty", it has no token.
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
            raise Invalid("empty", f"{self.text[start:end]!r} has no tokens in {self.text!r}")
        return positions


class Tokens:
    """The tokenizer of a model, with the checks of an item.

    Parameters
    ----------
    tokenizer : a fast tokenizer of transformers.
    max_tokens : the largest number of tokens that the model accepts; None for any number.

    Raises
    ------
    LanguageModelError : a tokenizer that does not report the positions of its tokens.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, max_tokens: int | None = None) -> None:
        if not getattr(tokenizer, "is_fast", False):
            raise LanguageModelError(
                f"{type(tokenizer).__name__} does not tell which characters its tokens come from; "
                "load the model's fast tokenizer (a tokenizer.json in its folder)"
            )
        self.tokenizer = tokenizer
        self.max_tokens = max_tokens
        self.unknown_id = tokenizer.unk_token_id
        self.mask_id = tokenizer.mask_token_id
        self.special_ids = frozenset(tokenizer.all_special_ids) - {self.unknown_id}
        # GPT-2 uses one token for all roles; it does not mean unknown text.
        if self.unknown_id in (tokenizer.eos_token_id, tokenizer.bos_token_id):
            self.special_ids |= {self.unknown_id}
            self.unknown_id = None

    def encode(self, texts: Sequence[str]) -> list[TokenizedText]:
        """The tokens of texts, special ones included; equal texts are encoded once."""
        mask = self.tokenizer.mask_token
        plain = [text.replace(NEUTRAL_MASK, mask) if mask else text for text in texts]
        distinct = list(dict.fromkeys(plain))
        encodings = self.tokenizer(distinct, add_special_tokens=True).encodings if distinct else []
        of_text = {}
        for text, encoding in zip(distinct, encodings, strict=True):
            special = encoding.special_tokens_mask
            inner = tuple(
                position
                for position, token in enumerate(encoding.ids)
                if not special[position] and token not in self.special_ids
            )
            of_text[text] = TokenizedText(text, tuple(encoding.ids), inner, encoding)
        return [of_text[text] for text in plain]

    def finding(self, tokens: TokenizedText, extra: int = 0) -> Invalid | None:
        """Why a text cannot be scored completely, or None: "empty", "unknown" or "too_long".

        Parameters
        ----------
        extra : number of tokens that will be added.
        """
        if not tokens.inner:
            return Invalid("empty", f"the text {tokens.text!r} has no tokens")
        if self.unknown_id is not None and self.unknown_id in tokens.ids:
            lost = [
                repr(tokens.text[slice(*tokens.spans[position])])
                for position, token in enumerate(tokens.ids)
                if token == self.unknown_id
            ]
            return Invalid("unknown", f"not in the vocabulary: {', '.join(lost)}")
        length = len(tokens.ids) + extra
        if self.max_tokens is not None and length > self.max_tokens:
            return Invalid("too_long", f"{length} tokens, the model takes {self.max_tokens}")
        return None

    def check(self, tokens: TokenizedText, extra: int = 0) -> None:
        """Refuse a text that cannot be scored completely, as `finding` says.

        Raises
        ------
        Invalid : "empty", "unknown" or "too_long".
        """
        if found := self.finding(tokens, extra):
            raise found

    def start_id(self) -> int:
        """The token for the start of a text in a causal model.

        Raises
        ------
        LanguageModelError : the tokenizer has neither a begin nor an end.
        """
        for token in (self.tokenizer.bos_token_id, self.tokenizer.eos_token_id):
            if token is not None:
                return token
        raise LanguageModelError("the tokenizer has neither a begin nor an end of text")


# Prefixes of tokens: at the begin of a word (two tokenizers), and within a word.
BYTES_BEGIN, BEGIN, INSIDE = "Ġ", "▁", "##"


def whole_words(tokens: Sequence[str]) -> list[str]:
    """The tokens that are whole words of letters, in their order, each once.

    Of byte-level tokens only ASCII ones are used: others do not show their letters.
    """
    # Each mark may be an ordinary character in another tokenizer: the commonest one counts.
    marked = Counter(m for p in tokens for m in (BYTES_BEGIN, BEGIN, INSIDE) if p.startswith(m))
    commonest = next((mark for mark, _ in marked.most_common(1)), INSIDE)
    begin = "" if commonest == INSIDE else commonest
    words = (token.removeprefix(begin) for token in tokens if token.startswith(begin))
    letters = (word for word in words if word.isalpha() and len(word) > 1)
    return list(dict.fromkeys(w for w in letters if w.isascii() or begin != BYTES_BEGIN))


class EmbeddingVocabulary:
    """Texts with vectors, and further texts that are embedded when they are needed.

    Parameters
    ----------
    embedded : the texts of a query; only these count as words of the model.
    embed : gives the vectors of further texts.
    """

    def __init__(
        self, embedded: EmbeddedTexts, embed: Callable[[Sequence[str]], EmbeddedTexts]
    ) -> None:
        self._embedded, self._embed = embedded, embed
        self._row_of = dict(zip(embedded.texts, embedded.rows, strict=True))

    def __contains__(self, text: object) -> bool:
        return text in self._embedded

    def __len__(self) -> int:
        return len(self._embedded)

    def vectors(self, texts: Sequence[str]) -> np.ndarray:
        """(texts, dims), float32: of the query's texts, or of others."""
        new = [text for text in texts if text not in self._row_of]
        if new:
            self._row_of |= zip(new, self._embed(new).rows, strict=True)
        rows = [self._row_of[text] for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self._embedded.rows.shape[1])


def tokens_of(tokenizer: Any) -> list[str]:
    """The tokens of a tokenizer of transformers, in the order of their ids."""
    return tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
