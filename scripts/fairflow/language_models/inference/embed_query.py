"""The texts of a query as vectors of a language model, bare or in context templates.

In a network that reads from left to right without a start of text, the hidden state of the first
token tells its position more than the token ("attention sink", Xiao et al. 2024,
https://arxiv.org/abs/2309.17453): vectors of bare words then tell words of one token from words
of several, so words are shown in context templates. A start put in front by hand does not help
where a word at the start of a text has other tokens than within it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
import torch

from fairflow.language_models.errors import NOT_FINITE, Invalid, LanguageModelError
from fairflow.language_models.inference.embed_texts import embed_texts, of_unit_length, pooling_of
from fairflow.language_models.inference.language_model import LanguageModel, evaluating
from fairflow.language_models.inference.tokens import (
    EmbeddingVocabulary,
    tokens_of,
    whole_words,
)
from fairflow.language_models.items.item import Span
from fairflow.language_models.slices.answers import EmbeddedTexts
from fairflow.metrics.weat import associations, effect_size
from fairflow.queries.lookup import Lookup, transform_word
from fairflow.queries.query import Query
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_frequency import word_frequency

SLOT = "{word}"
# They suit words of every class, and end with the word: what follows it is not read.
CONTEXT_TEMPLATES = (
    "The word is {word}",
    "They wrote the word {word}",
    "Another word is {word}",
    "I thought of {word}",
)
FIRST_POSITION = (
    "the model reads from left to right and its tokenizer puts nothing in front of a text, so the "
    "vector of a word's first token tells its position, not which word it is: give "
    "context_templates"
)
OTHER_TOKENS = "a word at the start of a text has other tokens than the same word within it"
_PROBES = ("flower", "music", "war", "doctor", "peace")


def in_template(word: str, template: str) -> tuple[str, Span]:
    """The text with the word in it, and where the word stands."""
    start = template.index(SLOT)
    return template.replace(SLOT, word), (start, start + len(word))


def is_sentence(text: str) -> bool:
    """Whether a text is a sentence (several words and an end), which fits into no template."""
    return len(text.split()) > 1 and text.rstrip().endswith((".", "!", "?"))


def templates_of(model: LanguageModel, context_templates: Sequence[str] | None) -> tuple[str, ...]:
    """The given ones; for None, `CONTEXT_TEMPLATES` of a model that cannot read bare words."""
    if context_templates is None:
        return CONTEXT_TEMPLATES if bare_words_problem(model) else ()
    return tuple(context_templates)


def bare_words_problem(model: LanguageModel) -> str | None:
    """Why a model cannot read words without a context template, or None."""
    if not reads_left_to_right(model):
        return None
    if starts_bare(model):
        return FIRST_POSITION
    for word in _PROBES:
        text, span = in_template(word, CONTEXT_TEMPLATES[0])
        alone, within = model.tokens.encode([word, text])
        if [alone.ids[p] for p in alone.inner] != [within.ids[p] for p in within.within(span)]:
            return OTHER_TOKENS
    return None


def starts_bare(model: LanguageModel) -> bool:
    """Whether the tokenizer puts nothing in front of a text."""
    return model.tokens.encode([_PROBES[0]])[0].inner[0] == 0


def reads_left_to_right(model: LanguageModel) -> bool:
    """Whether what follows a token leaves its hidden state as it is; of an encoder it is tried."""
    if model.kind != "encoder":
        return model.kind == "causal"
    ids = torch.tensor([[5, 3], [5, 4]], device=model.device)
    with evaluating(model):
        states = model.body(input_ids=ids)[0][:, 0]
    return bool(torch.allclose(states[0], states[1], rtol=1e-4, atol=1e-5))


def embed_in_templates(
    model: LanguageModel,
    words: Sequence[str],
    context_templates: Sequence[str],
    *how: Any,
    **more: Any,
) -> dict[str, EmbeddedTexts]:
    """The vectors of words in each context template: template -> one vector per distinct word.

    Pooled are the positions of the word; "cls" and "lasttoken" stay those of the whole text.

    Parameters
    ----------
    context_templates : texts with "{word}". how, more : of `embed_texts`, but for its spans.
    """
    distinct = list(dict.fromkeys(words))
    by_template = {}
    for template in context_templates:
        spans = dict(in_template(word, template) for word in distinct)
        embedded = embed_texts(model, list(spans), *how, spans=spans, **more)
        by_template[template] = replace(embedded, texts=tuple(distinct))
    return by_template


def mean_over_templates(
    by_template: Mapping[str, EmbeddedTexts], unit_length: bool = False
) -> EmbeddedTexts:
    """One vector per word, its mean over the context templates; divided by its length on request.

    The word stays the unit of every statistic. A word without a vector in one template
    has no vector.
    """
    every = list(by_template.values())
    # Of several findings that in the first context template counts.
    findings = {
        number: Invalid(status, reason)
        for own in reversed(every)
        for number, (status, reason) in enumerate(zip(own.statuses, own.reasons, strict=True))
        if status != "ok"
    }
    rows = np.mean([own.rows.astype(np.float64) for own in every], axis=0).astype(np.float32)
    rows = of_unit_length(rows) if unit_length else rows
    return replace(every[0], rows=rows, context_templates=tuple(by_template)).without(findings)


def without_first_position(embedded: EmbeddedTexts) -> EmbeddedTexts:
    """The texts of a model that starts bare, those without vector that it cannot read so.

    Of bare words none can be read: only those of one token stand first, so what tells words from
    one another would be the number of their tokens. Of sentences those cannot whose vector comes
    from the first position alone.
    """
    columns = zip(embedded.texts, embedded.statuses, embedded.n_tokens, strict=True)
    first = [
        number
        for number, (text, status, tokens) in enumerate(columns)
        if status == "ok" and (not is_sentence(text) or tokens == 1 or embedded.pooling == "cls")
    ]
    return embedded.without(dict.fromkeys(first, Invalid("first_position", FIRST_POSITION)))


def embed_query(
    model: LanguageModel,
    query: Query,
    lookup: Lookup,
    pooling: str | None = None,
    layer: int = -1,
    token_budget: int | None = None,
    random_words: int = 0,
    seed: int = 0,
    unit_length: bool | None = None,
    language: str | None = None,
    context_templates: Sequence[str] | None = None,
) -> EmbeddedTexts:
    """Every form of every word that the look-up may ask for.

    Parameters
    ----------
    pooling, layer, token_budget, unit_length : see `embed_texts`.
    random_words, seed : words of the language that replace the target words, see
        `fairflow.vectors.random_words.draw_random_rows`.
    language : of the model, from whose list they are drawn, as many tokens as they have: a network
        reads any word. One whose tokenizer lacks most common words as tokens gets none.
    context_templates : texts with "{word}" in which words are shown; an empty list shows them bare.
        None stands for `CONTEXT_TEMPLATES` of a model that cannot read bare words. A query with
        sentences stays as it is.

    Raises
    ------
    UnstatedPooling : nothing says which pooling.
    LanguageModelError : as `embed_texts`.
    """
    sets = (*query.target_sets, *query.attribute_sets, *query.declared.pairs)
    words = [word for own in sets for word in own]
    shown = () if any(map(is_sentence, words)) else templates_of(model, context_templates)
    first = not shown and bare_words_problem(model) == FIRST_POSITION

    def embedded(texts: Sequence[str]) -> EmbeddedTexts:
        how = (pooling, layer, token_budget, unit_length)
        if not shown:
            found = embed_texts(model, texts, *how)
            return without_first_position(found) if first else found
        by_template = embed_in_templates(model, texts, shown, *how)
        effects = {template: _effect_size(query, own) for template, own in by_template.items()}
        scaled = pooling_of(model, pooling, unit_length).unit_length
        return replace(mean_over_templates(by_template, scaled), effects=effects)

    texts = [transform_word(w, how, None) for how in lookup.preprocessors for w in words]
    found = embedded(texts)
    if not random_words:
        return found
    # Words with a single token would be too frequent to replace rare words.
    whole = tuple(whole_words(tokens_of(model.tokens.tokenizer)))
    frequency = _frequency_of(whole, language=language)
    drawn = WordEmbeddingModel(EmbeddingVocabulary(found, embedded)).look_up(
        query, lookup, random_words=random_words, seed=seed, frequency=frequency
    )
    return replace(found, random=drawn.random)


# The same for every query of a model, and a second each.
_frequency_of = lru_cache(maxsize=1)(partial(word_frequency, every=True))


def _effect_size(query: Query, embedded: EmbeddedTexts) -> float:
    """WEAT's effect size as the words are written; NaN for a query of another template.

    NaN as well where a set has no vector, or a vector has no direction.
    """
    if (len(query.target_sets), len(query.attribute_sets)) != (2, 2):
        return math.nan
    try:
        x, y, a, b = vectors_of_sets(embedded, (*query.target_sets, *query.attribute_sets))
    except Invalid:
        return math.nan
    return effect_size(associations(x, a, b), associations(y, a, b), ddof=1)


def vectors_of_sets(embedded: EmbeddedTexts, sets: Sequence[Sequence[str]]) -> list[np.ndarray]:
    """The vectors of the texts of each set, each text once: (texts, dims), float64.

    Raises
    ------
    Invalid : "degenerate", a set without vectors, or a vector without direction.
    """
    found = [[text for text in dict.fromkeys(texts) if text in embedded] for texts in sets]
    if not all(found):
        raise Invalid("degenerate", f"no text with a vector in {', '.join(sets[found.index([])])}")
    rows = [embedded.vectors(texts).astype(np.float64) for texts in found]
    lengths = np.linalg.norm(np.concatenate(rows), axis=1)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise Invalid("degenerate", "a vector is zero or not finite")
    return rows


def check_whole(embedded: EmbeddedTexts, folder: str, query: str) -> None:
    """Stop if vectors of words are NaN or infinite.

    Raises
    ------
    LanguageModelError : naming the model's folder.
    """
    if broken := embedded.statuses.count(NOT_FINITE):
        raise LanguageModelError(
            f"{folder} is broken: the vectors of {broken} of {len(embedded.texts)} words of "
            f"{query} are NaN or infinite. Fetch its weights again"
        )
