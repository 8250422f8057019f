"""Vectors of texts from the hidden states of a model, and how a text becomes one vector."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from fairflow.language_models.checkpoints.model_folder import (
    ASSUMED,
    PoolingConfig,
    read_pooling_config,
)
from fairflow.language_models.errors import Invalid, LanguageModelError, UnstatedPooling, not_finite
from fairflow.language_models.inference.language_model import LanguageModel, evaluating
from fairflow.language_models.inference.network_parts import attention_mask
from fairflow.language_models.inference.network_rows import (
    PADDING,
    in_batches,
    on_device,
)
from fairflow.language_models.inference.tokens import TokenizedText
from fairflow.language_models.items.item import Span
from fairflow.language_models.slices.answers import EmbeddedTexts

# Gives the vectors of a batch of texts: (texts, dims).
Pooled = Callable[[Sequence[TokenizedText]], torch.Tensor]
CONFIGURED = "configuration"
# May et al. (2019) for BERT and GPT; there is nothing of the kind for a network without head.
USUAL = {"masked": "cls", "causal": "last"}


def pooling_of(
    model: LanguageModel,
    pooling: str | None = None,
    unit_length: bool | None = None,
    or_mean: bool = False,
) -> PoolingConfig:
    """The configured pooling, else what the model's files say, else the usual one of its kind.

    Parameters
    ----------
    or_mean : use the mean over all positions for an encoder without any statement; the caller tells
        the reader so; `stated_by` is then `ASSUMED`.

    Raises
    ------
    UnstatedPooling : of an encoder nothing says it. LanguageModelError : its files say what cannot
        be done here.
    """
    stated = PoolingConfig() if model.folder is None else read_pooling_config(model.folder)
    if unit_length is not None:
        stated = replace(stated, unit_length=unit_length)
    if pooling is not None:
        return replace(stated, pooling=pooling, stated_by=CONFIGURED)
    if stated.problem:
        raise LanguageModelError(
            f"{stated.problem}. Its vectors would be others than the model's own: to take those of "
            "the network itself write pooling, for one pooling: mean"
        )
    if stated.pooling is not None:
        return stated
    if model.kind not in USUAL and or_mean:
        return replace(stated, pooling="mean", stated_by=ASSUMED)
    if model.kind not in USUAL:
        raise UnstatedPooling(
            f"nothing says how the positions of {type(model.network).__name__} become one vector: "
            "its files have no modules.json, and no pooling is given. Write pooling: mean or "
            "pooling: cls, as its authors say"
        )
    usual = f"usual of {model.kind} models"
    return replace(stated, pooling=USUAL[model.kind], stated_by=usual)


ADVICE = "make audit MODEL=PATH POOLING=mean, or --config audit=PATH audit_pooling=mean"


def audited_reading(
    model: LanguageModel, reading: Mapping[str, Any]
) -> tuple[dict[str, Any], str | None]:
    """How an audited model is read, by the mean where nothing says it, and what says it.

    Raises
    ------
    LanguageModelError : as `pooling_of`, with what to do in an audit.
    """
    try:
        said = pooling_of(model, reading["pooling"], reading["unit_length"], or_mean=True)
    except LanguageModelError as error:
        raise LanguageModelError(f"{error}. In an audit, set it with {ADVICE}") from error
    return {**reading, "pooling": said.pooling}, said.stated_by


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
    pooling : a key of `POOLINGS` of `fairflow.language_models.slices.answers`. May et al. (2019)
        take "cls" of BERT and "last" of GPT; Meade et al. (2022) "mean" of all models.
    layer : of the hidden states; 0 is the input, -1 the last (after the final norm, if any).
    unit_length : divide each vector by its length.
        Where pooling or unit_length is None, the model's files decide, see `pooling_of`.
    spans : text -> characters [start, end) of the word in it whose positions alone are pooled.

    Raises
    ------
    ValueError : a layer that the model does not have.
    LanguageModelError : as `pooling_of`.
    """
    reading = pooling_of(model, pooling, unit_length)
    n_states = model.network.config.num_hidden_layers + 1
    if not -n_states <= layer < n_states:
        raise ValueError(f"layer must be from {-n_states} to {n_states - 1}, got {layer!r}")
    pool = _Pooling(reading.pooling, layer, of_word=bool(spans))

    found = _embedded(model, texts, pool, _pooled(model, pool), token_budget, spans)
    return replace(found, rows=of_unit_length(found.rows)) if reading.unit_length else found


def pooled_texts(
    model: LanguageModel, texts: Sequence[str], pool: Callable[[Any], torch.Tensor], pooling: str
) -> EmbeddedTexts:
    """A vector per distinct text; a text that cannot be read has a reason instead.

    Parameters
    ----------
    pool : takes the outputs of the body, all hidden states among them, for texts that are equally
        long, and returns (texts, dims).
    pooling : what it is called.
    """

    def pooled(batch: Sequence[TokenizedText]) -> torch.Tensor:
        ids = torch.tensor([text.ids for text in batch], device=model.device)
        outputs = model.body(input_ids=ids, output_hidden_states=True)
        return pool(outputs).reshape(len(batch), -1)

    # Rows of one length go together, so that no padding enters a pooling.
    return _embedded(model, texts, _Pooling(pooling, -1), pooled, padding=0)


def _embedded(
    model: LanguageModel,
    texts: Sequence[str],
    pool: _Pooling,
    pooled: Pooled,
    token_budget: int | None = None,
    spans: Mapping[str, Span] | None = None,
    padding: float = PADDING,
) -> EmbeddedTexts:
    """Texts with their vectors; those with equal tokens are computed once.

    Parameters
    ----------
    Others : see `embed_texts` and `in_batches`.
    """
    distinct = list(dict.fromkeys(texts))
    encoded = model.tokens.encode(distinct)
    found = {number: model.tokens.finding(text) for number, text in enumerate(encoded)}
    findings = {number: finding for number, finding in found.items() if finding is not None}
    for number, text in enumerate(distinct if spans else ()):
        try:
            word = encoded[number].within(spans[text])
            encoded[number] = replace(encoded[number], inner=tuple(word))
        except Invalid as finding:
            findings.setdefault(number, finding)
    keys = {n: (text.ids, text.inner) for n, text in enumerate(encoded) if n not in findings}
    known: dict[Hashable, np.ndarray] = {}
    new = [*{key: encoded[number] for number, key in keys.items()}.values()]

    def work(members: list[int]) -> None:
        batch = [new[number] for number in members]
        vectors = pooled(batch).float().cpu().numpy()
        known.update(zip([(text.ids, text.inner) for text in batch], vectors, strict=True))

    with evaluating(model):
        in_batches(model, [text.ids for text in new], token_budget, work, padding)
    vectors = {number: known[key] for number, key in keys.items()}
    dims = {len(vector) for vector in vectors.values()} or {model.network.config.hidden_size}
    rows = np.full((len(distinct), *dims), np.nan, dtype=np.float32)
    for number, vector in vectors.items():
        rows[number] = vector
        if not np.isfinite(vector).all():
            findings[number] = not_finite("the vector")
    return EmbeddedTexts(
        texts=tuple(distinct),
        rows=rows,
        pooling=pool.name,
        layer=pool.layer,
        n_tokens=tuple(len(text.inner) for text in encoded),
        statuses=("ok",) * len(distinct),
        reasons=(None,) * len(distinct),
    ).without(findings)


def of_unit_length(rows: np.ndarray) -> np.ndarray:
    """Rows divided by their lengths, float32; a row of zeros stays."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def _pooled(model: LanguageModel, pool: _Pooling) -> Pooled:
    """A function that gives the vectors of a batch of texts: (texts, dims)."""
    last = pool.layer in (-1, model.network.config.num_hidden_layers)

    def pooled(texts: Sequence[TokenizedText]) -> torch.Tensor:
        ids, lengths = on_device(model, [text.ids for text in texts])
        options = {} if last else {"output_hidden_states": True}
        output = model.body(input_ids=ids, attention_mask=attention_mask(ids, lengths), **options)
        states = output[0] if last else output.hidden_states[pool.layer]
        weights = torch.from_numpy(pool.weights(texts, ids.shape[1])).to(states)
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

    def weights(self, texts: Sequence[TokenizedText], longest: int) -> np.ndarray:
        """What each position counts in a text's vector: (texts, longest).

        Each row sums to 1, but of "mean_sqrt_len" to the square root of the number of positions.
        """
        weights = np.zeros((len(texts), longest), dtype=np.float32)
        for line, text in zip(weights, texts, strict=True):
            chosen = self.positions(text)
            rank = np.arange(1, len(chosen) + 1)
            each = rank if self.name == "weightedmean" else np.ones(len(chosen))
            total = math.sqrt(each.sum()) if self.name == "mean_sqrt_len" else each.sum()
            line[chosen] = each / total
        return weights

    def positions(self, text: TokenizedText) -> list[int]:
        """Those that count in a text's vector."""
        match self.name:
            case "cls":
                return [0]
            case "last":
                return [text.inner[-1]]
            case "lasttoken":
                return [len(text.ids) - 1]
        inner = self.of_word or self.name == "mean_inner"
        return list(text.inner if inner else range(len(text.ids)))
