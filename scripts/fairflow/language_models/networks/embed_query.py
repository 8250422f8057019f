"""The texts of a query as vectors of a language model, and random words beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from fairflow.language_models.errors import UnstatedPooling
from fairflow.language_models.networks.carriers import (
    FIRST_POSITION,
    bare_words_problem,
    carriers_of,
    embed_in_carriers,
    is_sentence,
    mean_over_carriers,
    without_first_position,
)
from fairflow.language_models.networks.embed_texts import embed_texts
from fairflow.language_models.networks.embedding_vocabulary import (
    EmbeddingVocabulary,
    pieces_of,
    whole_words,
)
from fairflow.language_models.networks.language_model import LanguageModel
from fairflow.language_models.networks.reading import reading_of
from fairflow.language_models.slices.embedded_texts import EmbeddedTexts
from fairflow.metrics.weat import associations, effect_size
from fairflow.queries.lookup import Lookup
from fairflow.queries.preprocessing import transform_word
from fairflow.queries.query import Query
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_frequency import WordFrequency, frequency_in_language


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
    carriers: Sequence[str] | None = None,
) -> EmbeddedTexts:
    """Every form of every word that the look-up may ask for.

    Parameters
    ----------
    pooling, layer, token_budget, unit_length : see `embed_texts`.
    random_words, seed : words of the language that stand in for the target words, see
        `fairflow.vectors.random_rows.draw_random_rows`.
    language : of the model, from whose list they are drawn, as many pieces as they have: a network
        reads any word. One whose tokenizer lacks most common words as pieces gets none.
    carriers : texts with "{word}" in which words are shown; an empty list shows them bare. None
        stands for `CARRIERS` of a model that cannot read bare words. A query with sentences stays
        as it is.

    Raises
    ------
    UnstatedPooling : nothing says which pooling; with what two of them would give on this query.
    LanguageModelError : as `embed_texts`.
    """
    sets = (*query.target_sets, *query.attribute_sets, *query.declared.pairs)
    words = [word for own in sets for word in own]
    shown = () if any(map(is_sentence, words)) else carriers_of(model, carriers)
    first = not shown and bare_words_problem(model) == FIRST_POSITION

    def embedded(texts: Sequence[str], pooling: str | None = pooling) -> EmbeddedTexts:
        how = (pooling, layer, token_budget, unit_length)
        if not shown:
            found = embed_texts(model, texts, *how)
            return without_first_position(found) if first else found
        by_carrier = embed_in_carriers(model, texts, shown, *how)
        effects = {carrier: _effect_size(query, own) for carrier, own in by_carrier.items()}
        scaled = reading_of(model, pooling, unit_length).unit_length
        return replace(mean_over_carriers(by_carrier, scaled), effects=effects)

    texts = [transform_word(w, how, None) for how in lookup.preprocessors for w in words]
    try:
        found = embedded(texts)
    except UnstatedPooling as error:
        told = ""
        if len(query.target_sets) == len(query.attribute_sets) == 2:
            by_pooling = ((p, _effect_size(query, embedded(words, p))) for p in ("mean", "cls"))
            values = ", ".join(f"{value:+.2f} with {pooling}" for pooling, value in by_pooling)
            told = f". On this query the effect size of WEAT is {values}"
        raise UnstatedPooling(f"{error}{told}") from None
    if not random_words:
        return found
    drawn = WordEmbeddingModel(EmbeddingVocabulary(found, embedded)).look_up(
        query,
        lookup,
        random_words=random_words,
        seed=seed,
        frequency=_frequency(model, language),
    )
    return replace(found, random=drawn.random)


def _frequency(model: LanguageModel, language: str | None) -> WordFrequency:
    """Of every word that texts of the language hold, if the model was made for it.

    Words that are one piece would be too frequent ones to stand in for rare words.
    """
    return _frequency_of(tuple(whole_words(pieces_of(model.pieces.tokenizer))), language)


# The same for every query of a model, and a second each.
_frequency_of = lru_cache(maxsize=1)(frequency_in_language)


def _effect_size(query: Query, embedded: EmbeddedTexts) -> float:
    """WEAT's effect size as the words are written; NaN for a query of another template.

    NaN as well where a set has no vector, or a vector has no direction.
    """
    asked = (*query.target_sets, *query.attribute_sets)
    if (len(query.target_sets), len(query.attribute_sets)) != (2, 2):
        return math.nan
    sets = [[text for text in dict.fromkeys(words) if text in embedded] for words in asked]
    if not all(sets):
        return math.nan
    first, second, *attributes = (embedded.vectors(texts).astype(np.float64) for texts in sets)
    lengths = np.linalg.norm(np.concatenate([first, second, *attributes]), axis=1)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        return math.nan
    return effect_size(associations(first, *attributes), associations(second, *attributes), ddof=1)
