"""What a reader of a score has to know of its model and of its hidden states."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from fairflow.language_models.errors import LanguageModelError
from fairflow.language_models.inference.embed_query import (
    CONTEXT_TEMPLATES,
    bare_words_problem,
    embed_in_templates,
    in_template,
    mean_over_templates,
    templates_of,
)
from fairflow.language_models.inference.embed_texts import embed_texts, pooling_of
from fairflow.language_models.inference.language_model import LanguageModel, evaluating
from fairflow.language_models.inference.network_parts import attention_mask
from fairflow.language_models.inference.network_rows import in_batches, on_device
from fairflow.language_models.inference.tokens import tokens_of, whole_words
from fairflow.vectors.directions import unit

WORDS = 200
# Sums of float32 in another order must not show.
DECIMALS = 3


def first_position(
    model: LanguageModel, words: Sequence[str]
) -> tuple[float, int] | tuple[None, None]:
    """Length at the first position over that at a word, and the layer where it is largest.

    None of a broken network, whose states are NaN or infinite.
    """
    spans = dict(in_template(word, CONTEXT_TEMPLATES[0]) for word in words)
    texts = model.tokens.encode(list(spans))
    last = [text.within(span)[-1] for text, span in zip(texts, spans.values(), strict=True)]
    lengths: dict[int, np.ndarray] = {}

    def work(members: list[int]) -> None:
        ids, sizes = on_device(model, [texts[number].ids for number in members])
        states = model.body(
            input_ids=ids, attention_mask=attention_mask(ids, sizes), output_hidden_states=True
        ).hidden_states
        norms = torch.stack([layer.float().norm(dim=2) for layer in states]).cpu().numpy()
        for line, number in enumerate(members):
            lengths[number] = norms[:, line, [0, last[number]]]

    with evaluating(model):
        in_batches(model, [text.ids for text in texts], None, work)
    medians = np.median([lengths[number] for number in range(len(texts))], axis=0)
    if not np.isfinite(medians).all():
        return None, None
    ratios = medians[:, 0] / np.where(medians[:, 1] > 0, medians[:, 1], np.nan)
    layer = int(np.nanargmax(ratios))
    return round(float(ratios[layer]), DECIMALS), layer


def _anisotropy(
    model: LanguageModel, words: Sequence[str], how: tuple, context_templates: Sequence[str]
) -> float | None:
    """The mean cosine, None where texts cannot be read or fewer than two words have a vector."""
    try:
        if context_templates:
            embedded = mean_over_templates(
                embed_in_templates(model, words, context_templates, *how)
            )
        else:
            embedded = embed_texts(model, words, *how)
    except LanguageModelError:
        return None
    rows = unit(embedded.vectors(list(embedded)).astype(np.float64))
    n = len(rows)
    if n < 2:
        return None
    total = float(np.square(rows.sum(axis=0)).sum())
    return round((total - n) / (n * (n - 1)), DECIMALS)


def model_facts(
    model: LanguageModel,
    pooling: str | None = None,
    layer: int = -1,
    unit_length: bool | None = None,
    context_templates: Sequence[str] | None = None,
) -> dict[str, str | int | float | bool | None]:
    """Architecture, size, tokenizer, casing and reading of a model; not of the machine.

    `lower_cases` is tried out, as tokenizers do not tell. `max_tokens` is None without bound,
    `quantisation` of weights that were not quantised before they came here. Random words of the
    tokenizer's vocabulary show the rest.

    Parameters
    ----------
    Others : as configured, see `fairflow.language_models.inference.embed_query.embed_query`.

    Returns
    -------
    Among others:
    asked : how texts and messages are put to a causal model.
    context_templates : texts that words are shown in. bare_words : why bare words cannot be read,
        or "".
    anisotropy : mean cosine between the vectors of two words, between -1 and 1; where it is near 1
        all words point one way (Ethayarajh 2019, https://doi.org/10.18653/v1/D19-1006).
    first_position_norm_ratio, first_position_layer : median length of the hidden state at the first
        position over that at a word further on, in the layer where it is largest; far above 1 the
        first position is a sink. None where there are fewer than two words.
    """
    try:
        reading = vars(pooling_of(model, pooling, unit_length))
    except LanguageModelError as error:
        reading = {"pooling": None, "stated_by": str(error), "unit_length": None}
    network, tokenizer, config = model.network, model.tokens.tokenizer, model.network.config
    upper, lower = model.tokens.encode(["The Woman", "the woman"])
    shown = templates_of(model, context_templates)
    every = whole_words(tokens_of(tokenizer))
    chosen = np.random.default_rng(0).choice(len(every), min(WORDS, len(every)), replace=False)
    words = [every[number] for number in sorted(chosen.tolist())]
    ratio, place = first_position(model, words) if len(words) > 1 else (None, None)
    return {
        "architecture": type(network).__name__,
        "kind": model.kind,
        "layers": config.num_hidden_layers,
        "hidden": config.hidden_size,
        "vocabulary": config.vocab_size,
        "parameters": sum(weights.numel() for weights in network.parameters()),
        "quantisation": getattr(config, "quantisation", None),
        "max_tokens": model.tokens.max_tokens,
        "tokenizer": type(tokenizer.backend_tokenizer.model).__name__,
        "lower_cases": upper.ids == lower.ids,
        "asked": model.how_asked,
        "mask": tokenizer.mask_token,
        "pooling": reading["pooling"],
        "pooling_source": reading["stated_by"],
        "unit_length": reading["unit_length"],
        "context_templates": " | ".join(shown),
        "bare_words": bare_words_problem(model) or "",
        "anisotropy": _anisotropy(model, words, (pooling, layer, None, unit_length), shown),
        "first_position_norm_ratio": ratio,
        "first_position_layer": place,
    }
