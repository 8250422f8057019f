"""Vectors of texts from the hidden states of a model, and how a text becomes one vector."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from fairflow.language_models.errors import Invalid, LanguageModelError, UnstatedPooling, not_finite
from fairflow.language_models.folders.stated_reading import ASSUMED, StatedPooling, stated_pooling
from fairflow.language_models.items.item import Span
from fairflow.language_models.networks.language_model import LanguageModel, evaluating
from fairflow.language_models.networks.network_parts import Body
from fairflow.language_models.networks.network_rows import (
    AfterStart,
    common_start,
    in_batches,
    on_device,
)
from fairflow.language_models.networks.text_pieces import TextPieces
from fairflow.language_models.slices.answers import POOLINGS, EmbeddedTexts

Pool = Callable[[Any], torch.Tensor]


def pooled_texts(
    model: LanguageModel, texts: Sequence[str], pool: Pool, pooling: str
) -> EmbeddedTexts:
    """A vector per distinct text; a text that cannot be read has none, and a reason.

    Parameters
    ----------
    pool : takes the outputs of the body, all hidden states among them, for texts that are equally
        long, and returns (texts, dims).
    pooling : what it is called.
    """
    distinct = list(dict.fromkeys(texts))
    encoded = model.pieces.encode(distinct)
    findings = [model.pieces.finding(text) for text in encoded]
    valid = [number for number, finding in enumerate(findings) if finding is None]
    vectors: dict[tuple[int, ...], np.ndarray] = {}
    distinct_rows = list({encoded[number].ids: None for number in valid})

    def work(members: list[int]) -> None:
        ids = torch.tensor([distinct_rows[number] for number in members], device=model.device)
        outputs = model.body(input_ids=ids, output_hidden_states=True)
        for number, vector in zip(members, pool(outputs).float().cpu().numpy(), strict=True):
            vectors[distinct_rows[number]] = vector.reshape(-1)

    with evaluating(model):
        # Rows of one length go together, so that no padding enters a pooling.
        in_batches(model, distinct_rows, None, work, padding=0)
    dims = len(next(iter(vectors.values()))) if vectors else 1
    rows = np.full((len(distinct), dims), np.nan, dtype=np.float32)
    for number in valid:
        rows[number] = vectors[encoded[number].ids]
    return _embedded(distinct, rows, encoded, findings, pooling, -1)


def _embedded(
    texts: Sequence[str],
    rows: np.ndarray,
    encoded: Sequence[TextPieces],
    findings: Sequence[Invalid | None],
    pooling: str,
    layer: int,
) -> EmbeddedTexts:
    return EmbeddedTexts(
        texts=tuple(texts),
        rows=rows,
        pooling=pooling,
        layer=layer,
        n_pieces=tuple(len(text.inner) for text in encoded),
        statuses=tuple("ok" if finding is None else finding.status for finding in findings),
        reasons=tuple(None if finding is None else finding.reason for finding in findings),
    )


CONFIGURED = "configuration"
# May et al. (2019) for BERT and GPT; there is nothing of the kind for a network without head.
USUAL = {"masked": "cls", "causal": "last"}


@dataclass(frozen=True)
class Reading:
    """How a text becomes one vector.

    Attributes
    ----------
    pooling : a key of `fairflow.language_models.slices.answers.POOLINGS`.
    unit_length : whether the vector is divided by its length.
    stated_by : "configuration", a file of the model, "usual of masked models", or `ASSUMED`.
    """

    pooling: str
    unit_length: bool
    stated_by: str


def reading_of(
    model: LanguageModel, pooling: str | None = None, unit_length: bool | None = None
) -> Reading:
    """What is asked for, else what the model's files say, else what is usual of its kind.

    Raises
    ------
    UnstatedPooling : of an encoder nothing says it. LanguageModelError : its files say what cannot
        be done here.
    """
    stated = StatedPooling() if model.folder is None else stated_pooling(model.folder)
    scaled = stated.unit_length if unit_length is None else unit_length
    if pooling is not None:
        return Reading(pooling, scaled, CONFIGURED)
    if stated.problem:
        raise LanguageModelError(
            f"{stated.problem}. Its vectors would be others than the model's own: to take those of "
            "the network itself write pooling, for one pooling: mean"
        )
    if stated.mode is not None:
        return Reading(stated.mode, scaled, stated.file)
    if model.kind not in USUAL:
        raise UnstatedPooling(
            f"nothing says how the positions of {type(model.network).__name__} become one vector: "
            "its files have no modules.json, and no pooling is given. Write pooling: mean or "
            "pooling: cls, as its authors say"
        )
    return Reading(USUAL[model.kind], scaled, f"usual of {model.kind} models")


def reading_or_mean(
    model: LanguageModel, pooling: str | None = None, unit_length: bool | None = None
) -> Reading:
    """As `reading_of`, but an encoder of which nothing says it has the mean over all positions.

    For whoever tells the reader so; `stated_by` is then `ASSUMED`.

    Raises
    ------
    LanguageModelError : its files say what cannot be done here.
    """
    try:
        return reading_of(model, pooling, unit_length)
    except UnstatedPooling:
        return replace(reading_of(model, "mean", unit_length), stated_by=ASSUMED)


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
    for number in np.flatnonzero(~np.isfinite(vectors).all(axis=1)):
        findings[valid[number]], vectors[number] = not_finite("the vector"), np.nan
    rows = np.full((len(distinct), model.network.config.hidden_size), np.nan, dtype=np.float32)
    rows[valid] = of_unit_length(vectors) if reading.unit_length else vectors
    return _embedded(distinct, rows, encoded, findings, pooling, layer)


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
    ids = [text.ids for text in texts]
    with evaluating(model):
        pooled = _pooler(model, pool, common_start(model, ids, pool.first_position(texts)))

        def work(members: list[int]) -> None:
            vectors[members] = pooled([texts[number] for number in members]).float().cpu().numpy()

        in_batches(model, ids, token_budget, work)


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
