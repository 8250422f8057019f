"""Carriers: short texts that words are shown in, to models that cannot read them bare.

In a network that reads from left to right without a start of text, the hidden state of the first
piece tells its position more than the piece ("attention sink", Xiao et al. 2024,
https://arxiv.org/abs/2309.17453): vectors of bare words then tell words of one piece from words
of several. A start put in front by hand does not mend it where a word at the start of a text has
other pieces than within it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import torch

from fairflow.language_models.items.spans import Span
from fairflow.language_models.networks.embed_texts import embed_texts, of_unit_length
from fairflow.language_models.networks.language_model import LanguageModel, evaluating
from fairflow.language_models.slices.embedded_texts import EmbeddedTexts

SLOT = "{word}"
# They suit words of every class, and end with the word: what follows it is not read.
CARRIERS = (
    "The word is {word}",
    "They wrote the word {word}",
    "Another word is {word}",
    "I thought of {word}",
)
FIRST_POSITION = (
    "the model reads from left to right and its tokenizer puts nothing in front of a text, so the "
    "vector of a word's first piece tells that it stands first, not which word it is: give carriers"
)
OTHER_PIECES = "a word at the start of a text has other pieces than the same word within it"
_PROBES = ("flower", "music", "war", "doctor", "peace")


def in_carrier(word: str, carrier: str) -> tuple[str, Span]:
    """The text with the word in it, and where the word stands."""
    start = carrier.index(SLOT)
    return carrier.replace(SLOT, word), (start, start + len(word))


def is_sentence(text: str) -> bool:
    """Whether a text is none that can stand in a carrier: several words, ended as a sentence."""
    return len(text.split()) > 1 and text.rstrip().endswith((".", "!", "?"))


def carriers_of(model: LanguageModel, carriers: Sequence[str] | None) -> tuple[str, ...]:
    """Those that are asked for; by None, `CARRIERS` of a model that cannot read bare words."""
    if carriers is None:
        return CARRIERS if bare_words_problem(model) else ()
    return tuple(carriers)


def bare_words_problem(model: LanguageModel) -> str | None:
    """Why a model cannot read words without a carrier, or None."""
    if not reads_left_to_right(model):
        return None
    if starts_bare(model):
        return FIRST_POSITION
    for word in _PROBES:
        text, span = in_carrier(word, CARRIERS[0])
        alone, within = model.pieces.encode([word, text])
        if [alone.ids[p] for p in alone.inner] != [within.ids[p] for p in within.within(span)]:
            return OTHER_PIECES
    return None


def starts_bare(model: LanguageModel) -> bool:
    """Whether the tokenizer puts nothing in front of a text."""
    return model.pieces.encode([_PROBES[0]])[0].inner[0] == 0


def reads_left_to_right(model: LanguageModel) -> bool:
    """Whether what follows a piece leaves its hidden state as it is; of an encoder it is tried."""
    if model.kind != "encoder":
        return model.kind == "causal"
    ids = torch.tensor([[5, 3], [5, 4]], device=model.device)
    with evaluating(model):
        states = model.body(input_ids=ids)[0][:, 0]
    return bool(torch.allclose(states[0], states[1], rtol=1e-4, atol=1e-5))


def embed_in_carriers(
    model: LanguageModel,
    words: Sequence[str],
    carriers: Sequence[str],
    pooling: str | None = None,
    layer: int = -1,
    token_budget: int | None = None,
    unit_length: bool | None = None,
) -> dict[str, EmbeddedTexts]:
    """Words with their vectors in each carrier: carrier -> one vector per distinct word.

    Pooled are the positions of the word; "cls" and "lasttoken" stay those of the whole text.

    Parameters
    ----------
    carriers : texts with "{word}". Others : see `embed_texts`.
    """
    distinct = list(dict.fromkeys(words))
    by_carrier = {}
    for carrier in carriers:
        spans = dict(in_carrier(word, carrier) for word in distinct)
        embedded = embed_texts(model, list(spans), pooling, layer, token_budget, unit_length, spans)
        by_carrier[carrier] = replace(embedded, texts=tuple(distinct))
    return by_carrier


def mean_over_carriers(
    by_carrier: Mapping[str, EmbeddedTexts], unit_length: bool = False
) -> EmbeddedTexts:
    """One vector per word, the mean of those in each carrier; divided by its length if asked to.

    The word stays the unit of every statistic. A word without vector in one carrier has none.
    """
    every = list(by_carrier.values())
    findings = [
        next(((s, r) for s, r in row if s != "ok"), ("ok", None))
        for row in zip(*(zip(e.statuses, e.reasons, strict=True) for e in every), strict=True)
    ]
    rows = np.mean([e.rows.astype(np.float64) for e in every], axis=0).astype(np.float32)
    return replace(
        every[0],
        rows=of_unit_length(rows) if unit_length else rows,
        statuses=tuple(status for status, _ in findings),
        reasons=tuple(reason for _, reason in findings),
        carriers=tuple(by_carrier),
    )


def without_first_position(embedded: EmbeddedTexts) -> EmbeddedTexts:
    """The texts of a model that starts bare, those without vector that it cannot read so.

    Of bare words none can be read: only those of one piece stand first, so what tells words from
    one another would be the number of their pieces. Of sentences those cannot whose vector comes
    from the first position alone.
    """
    first = [
        status == "ok" and (not is_sentence(text) or pieces == 1 or embedded.pooling == "cls")
        for text, status, pieces in zip(
            embedded.texts, embedded.statuses, embedded.n_pieces, strict=True
        )
    ]

    def where(new: str, old: Sequence[str | None]) -> tuple[str | None, ...]:
        return tuple(new if marked else own for marked, own in zip(first, old, strict=True))

    return replace(
        embedded,
        rows=np.where(np.array(first)[:, np.newaxis], np.nan, embedded.rows).astype(np.float32),
        statuses=where("first_position", embedded.statuses),
        reasons=where(FIRST_POSITION, embedded.reasons),
    )
