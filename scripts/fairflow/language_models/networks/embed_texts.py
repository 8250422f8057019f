"""Vectors of texts from the hidden states of a model."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

import numpy as np
import torch

from fairflow.language_models.errors import Invalid
from fairflow.language_models.items.spans import Span
from fairflow.language_models.networks.common_start import AfterStart, common_start
from fairflow.language_models.networks.language_model import LanguageModel, evaluating
from fairflow.language_models.networks.network_parts import Body
from fairflow.language_models.networks.reading import reading_of
from fairflow.language_models.networks.rows_on_device import in_batches, on_device, token_budget_of
from fairflow.language_models.networks.text_pieces import TextPieces
from fairflow.language_models.slices.embedded_texts import POOLINGS, EmbeddedTexts

# Poolings that take the hidden state at one position of a text.
ONE_POSITION: Mapping[str, Callable[[TextPieces], int]] = {
    "cls": lambda text: 0,
    "last": lambda text: text.inner[-1],
    "lasttoken": lambda text: len(text.ids) - 1,
}

_KEPT: ContextVar[dict[Hashable, dict[Hashable, np.ndarray]] | None]
_KEPT = ContextVar("_KEPT", default=None)


@contextmanager
def kept_vectors() -> Iterator[None]:
    """Within it, no text is computed twice by one model and pooling, whoever asks for it."""
    token = _KEPT.set({})
    try:
        yield
    finally:
        _KEPT.reset(token)


def embed_texts(
    model: LanguageModel,
    texts: Sequence[str],
    pooling: str | None = None,
    layer: int = -1,
    token_budget: int | None = None,
    unit_length: bool | None = None,
    spans: Mapping[str, Span] | None = None,
) -> EmbeddedTexts:
    """One vector per distinct text, in the order of first appearance.

    Parameters
    ----------
    pooling : one of `POOLINGS`. May et al. (2019) take "cls" of BERT and "last" of GPT;
        Meade et al. (2022) "mean" of all models.
    layer : of the hidden states; 0 is the input, -1 the last (after the final norm, if any).
    unit_length : divide each vector by its length.
        Where pooling or unit_length is None, the model's files decide, see `reading_of`.
    spans : text -> characters [start, end) of the word in it whose positions alone are pooled.

    Raises
    ------
    ValueError : an unknown pooling, or a layer that the model does not have.
    LanguageModelError : as `reading_of`.
    """
    reading = reading_of(model, pooling, unit_length)
    pooling = reading.pooling
    if pooling not in POOLINGS:
        raise ValueError(f"pooling must be one of {', '.join(POOLINGS)}, got {pooling!r}")
    n_states = model.network.config.num_hidden_layers + 1
    if not -n_states <= layer < n_states:
        raise ValueError(f"layer must lie in {-n_states}..{n_states - 1}, got {layer!r}")
    distinct = list(dict.fromkeys(texts))
    encoded = model.pieces.encode(distinct)
    findings = [model.pieces.finding(text) for text in encoded]
    for number, text in enumerate(distinct if spans else ()):
        try:
            word = encoded[number].within(spans[text])
            encoded[number] = replace(encoded[number], inner=tuple(word))
        except Invalid as finding:
            findings[number] = findings[number] or finding
    valid = [number for number, finding in enumerate(findings) if finding is None]
    pool = _Pooling(pooling, layer, of_word=bool(spans))
    vectors = _pooled(model, [encoded[i] for i in valid], pool, token_budget)
    rows = np.full((len(distinct), model.network.config.hidden_size), np.nan, dtype=np.float32)
    rows[valid] = of_unit_length(vectors) if reading.unit_length else vectors
    return EmbeddedTexts(
        texts=tuple(distinct),
        rows=rows,
        pooling=pooling,
        layer=layer,
        n_pieces=tuple(len(text.inner) for text in encoded),
        statuses=tuple("ok" if finding is None else finding.status for finding in findings),
        reasons=tuple(None if finding is None else finding.reason for finding in findings),
    )


def of_unit_length(rows: np.ndarray) -> np.ndarray:
    """Rows divided by their lengths, float32; a row of zeros stays."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def _pooled(
    model: LanguageModel,
    texts: Sequence[TextPieces],
    pool: _Pooling,
    token_budget: int | None,
) -> np.ndarray:
    """(texts, dims) vectors; texts with equal pieces are computed once."""
    kept = _KEPT.get()
    known = {} if kept is None else kept.setdefault((id(model), pool), {})
    of_row = {(text.ids, text.inner): text for text in texts}
    rows = [row for row in of_row if row not in known]
    vectors = np.empty((len(rows), model.network.config.hidden_size), dtype=np.float32)
    if rows:
        _compute(model, [of_row[row] for row in rows], pool, token_budget, vectors)
        known |= zip(rows, vectors, strict=True)
    chosen = [known[text.ids, text.inner] for text in texts]
    return np.stack(chosen) if chosen else vectors


def _compute(
    model: LanguageModel,
    texts: Sequence[TextPieces],
    pool: _Pooling,
    token_budget: int | None,
    vectors: np.ndarray,
) -> None:
    """Fill (texts, dims) vectors."""
    with evaluating(model):
        start = common_start(model, [text.ids for text in texts], pool.first_position(texts))
        pooled = _pooler(model, pool, start)

        def work(members: list[int]) -> None:
            batch = [texts[number] for number in members]
            vectors[members] = pooled(batch).float().cpu().numpy()

        in_batches([text.ids for text in texts], token_budget_of(model, token_budget), work)


def _pooler(
    model: LanguageModel, pool: _Pooling, start: Sequence[int]
) -> Callable[[list[TextPieces]], torch.Tensor]:
    """A function that gives the vectors of a batch of texts with that start: (texts, dims)."""
    last = pool.layer in (-1, model.network.config.num_hidden_layers)
    if last and pool.name in ONE_POSITION and not start:
        body = Body(model)

        def at_one_position(texts: list[TextPieces]) -> torch.Tensor:
            ids, lengths = on_device(model, [text.ids for text in texts])
            lines = torch.arange(len(texts), device=ids.device)
            chosen = [ONE_POSITION[pool.name](text) for text in texts]
            positions = torch.tensor(chosen, device=ids.device)
            return body.states(ids, lengths, lines, positions)[0]

        return at_one_position

    run, skipped = AfterStart(model, start), len(start)

    def pooled(texts: list[TextPieces]) -> torch.Tensor:
        ids, lengths = on_device(model, [text.ids[skipped:] for text in texts])
        output = run(ids, lengths, **({} if last else {"output_hidden_states": True}))
        states = output[0] if last else output.hidden_states[pool.layer]
        weights = pool.weights(texts, skipped + ids.shape[1])[:, skipped:]
        weights = torch.from_numpy(weights).to(states)
        if pool.name == "max":
            return states.masked_fill(weights[:, :, None] == 0, -torch.inf).amax(dim=1)
        return torch.einsum("npd,np->nd", states, weights)

    return pooled


@dataclass(frozen=True)
class _Pooling:
    """A pooling of one layer, over whole texts or the positions of a word in each."""

    name: str
    layer: int
    of_word: bool = False

    def weights(self, texts: Sequence[TextPieces], longest: int) -> np.ndarray:
        """What each position counts in a text's vector: (texts, longest).

        Each row sums to 1, but of "mean_sqrt_len" to the square root of the number of positions.
        """
        weights = np.zeros((len(texts), longest), dtype=np.float32)
        for line, text in zip(weights, texts, strict=True):
            chosen = self._positions(text)
            rank = np.arange(1, len(chosen) + 1)
            each = rank if self.name == "weightedmean" else np.ones(len(chosen))
            total = math.sqrt(each.sum()) if self.name == "mean_sqrt_len" else each.sum()
            line[chosen] = each / total
        return weights

    def first_position(self, texts: Sequence[TextPieces]) -> int:
        """The first that counts in any text."""
        return min((min(self._positions(text)) for text in texts), default=0)

    def _positions(self, text: TextPieces) -> list[int]:
        if self.name in ONE_POSITION:
            return [ONE_POSITION[self.name](text)]
        inner = self.of_word or self.name == "mean_inner"
        return list(text.inner) if inner else list(range(len(text.ids)))
