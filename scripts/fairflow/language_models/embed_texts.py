"""Vectors of texts from the hidden states of a model."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch

from fairflow.language_models.embedded_texts import POOLINGS, EmbeddedTexts
from fairflow.language_models.language_model import LanguageModel, evaluating
from fairflow.language_models.network_parts import Body, attention_mask
from fairflow.language_models.reading import reading_of
from fairflow.language_models.rows_on_device import in_batches, on_device, token_budget_of
from fairflow.language_models.text_pieces import TextPieces

# Poolings that take the hidden state at one position of a text.
ONE_POSITION: Mapping[str, Callable[[TextPieces], int]] = {
    "cls": lambda text: 0,
    "last": lambda text: text.inner[-1],
    "lasttoken": lambda text: len(text.ids) - 1,
}


def embed_texts(
    model: LanguageModel,
    texts: Sequence[str],
    pooling: str | None = None,
    layer: int = -1,
    token_budget: int | None = None,
    unit_length: bool | None = None,
) -> EmbeddedTexts:
    """One vector per distinct text, in the order of first appearance.

    Parameters
    ----------
    pooling : one of `POOLINGS`. May et al. (2019) take "cls" of BERT and "last" of GPT;
        Meade et al. (2022) "mean" of all models.
    layer : of the hidden states; 0 is the input, -1 the last (after the final norm, if any).
    unit_length : divide each vector by its length.
        Where pooling or unit_length is None, the model's files decide, see `reading_of`.

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
    valid = [number for number, finding in enumerate(findings) if finding is None]
    found = _pooled(model, [encoded[i] for i in valid], pooling, layer, token_budget)
    rows = np.full((len(distinct), model.network.config.hidden_size), np.nan, dtype=np.float32)
    rows[valid] = _unit_length(found) if reading.unit_length else found
    return EmbeddedTexts(
        texts=tuple(distinct),
        rows=rows,
        pooling=pooling,
        layer=layer,
        n_pieces=tuple(len(text.inner) for text in encoded),
        statuses=tuple("ok" if finding is None else finding.status for finding in findings),
        reasons=tuple(None if finding is None else finding.reason for finding in findings),
    )


def _unit_length(rows: np.ndarray) -> np.ndarray:
    """Rows divided by their lengths, float32; a row of zeros stays."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def _pooled(
    model: LanguageModel,
    texts: Sequence[TextPieces],
    pooling: str,
    layer: int,
    token_budget: int | None,
) -> np.ndarray:
    """(texts, dims) vectors; texts with equal pieces are computed once."""
    of_row = {text.ids: text for text in texts}
    rows = list(of_row)
    vectors = np.empty((len(rows), model.network.config.hidden_size), dtype=np.float32)
    with evaluating(model):
        pooled = _pooler(model, pooling, layer)

        def work(members: list[int]) -> None:
            batch = [of_row[rows[number]] for number in members]
            vectors[members] = pooled(batch).float().cpu().numpy()

        in_batches(rows, token_budget_of(model, token_budget), work)
    row_of = {row: number for number, row in enumerate(rows)}
    return vectors[[row_of[text.ids] for text in texts]]


def _pooler(
    model: LanguageModel, pooling: str, layer: int
) -> Callable[[list[TextPieces]], torch.Tensor]:
    """A function that gives the vectors of a batch: (texts, dims)."""
    last = layer in (-1, model.network.config.num_hidden_layers)
    if last and pooling in ONE_POSITION:
        body = Body(model)

        def at_one_position(texts: list[TextPieces]) -> torch.Tensor:
            ids, lengths = on_device(model, [text.ids for text in texts])
            lines = torch.arange(len(texts), device=ids.device)
            chosen = [ONE_POSITION[pooling](text) for text in texts]
            positions = torch.tensor(chosen, device=ids.device)
            return body.states(ids, lengths, lines, positions)[0]

        return at_one_position

    def pooled(texts: list[TextPieces]) -> torch.Tensor:
        ids, lengths = on_device(model, [text.ids for text in texts])
        extra = {} if last else {"output_hidden_states": True}
        found = model.body(input_ids=ids, attention_mask=attention_mask(ids, lengths), **extra)
        states = found[0] if last else found.hidden_states[layer]
        if pooling == "max":
            padding = torch.arange(ids.shape[1], device=ids.device) >= lengths[:, None]
            return states.masked_fill(padding[:, :, None], -torch.inf).amax(dim=1)
        weights = torch.from_numpy(_weights(texts, ids.shape[1], pooling)).to(states)
        return torch.einsum("npd,np->nd", states, weights)

    return pooled


def _weights(texts: Sequence[TextPieces], longest: int, pooling: str) -> np.ndarray:
    """What each position counts in a text's vector: (texts, longest).

    Each row sums to 1, but of "mean_sqrt_len" to the square root of the number of positions.
    """
    weights = np.zeros((len(texts), longest), dtype=np.float32)
    for line, text in zip(weights, texts, strict=True):
        if pooling in ONE_POSITION:
            line[ONE_POSITION[pooling](text)] = 1
            continue
        chosen = np.array(text.inner if pooling == "mean_inner" else range(len(text.ids)))
        each = chosen + 1 if pooling == "weightedmean" else np.ones(len(chosen))
        total = math.sqrt(each.sum()) if pooling == "mean_sqrt_len" else each.sum()
        line[chosen] = each / total
    return weights
