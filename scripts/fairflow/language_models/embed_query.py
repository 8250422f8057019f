"""The texts of a query as vectors of a language model, and random words beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from fairflow.language_models.embed_texts import embed_texts
from fairflow.language_models.embedded_texts import EmbeddedTexts
from fairflow.language_models.embedding_vocabulary import (
    EmbeddingVocabulary,
    pieces_of,
    whole_words,
)
from fairflow.language_models.errors import UnstatedPooling
from fairflow.language_models.language_model import LanguageModel
from fairflow.language_models.metrics.text_association import text_association
from fairflow.lookup import Lookup
from fairflow.preprocessing import transform_word
from fairflow.query import Query
from fairflow.vectors.word_frequency import word_frequency
from fairflow.word_embedding_model import WordEmbeddingModel


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
) -> EmbeddedTexts:
    """Every form of every word that the look-up may ask for.

    Parameters
    ----------
    pooling, layer, token_budget, unit_length : see `embed_texts`.
    random_words, seed : words of the tokenizer's vocabulary that stand in for the target words, see
        `fairflow.vectors.random_rows.draw_random_rows`.
    language : of the vocabulary, whose list of frequencies they are drawn by. The order of a
        tokenizer is that of its training: of merges, of blocks in alphabetical order, or of scores.

    Raises
    ------
    UnstatedPooling : nothing says which pooling; with what two of them would give on this query.
    LanguageModelError : as `embed_texts`.
    """

    def embedded(texts: Sequence[str], pooling: str | None = pooling) -> EmbeddedTexts:
        return embed_texts(model, texts, pooling, layer, token_budget, unit_length)

    asked = [word for own in (*query.target_sets, *query.attribute_sets) for word in own]
    texts = [transform_word(w, how, None) for how in lookup.preprocessors for w in asked]
    try:
        found = embedded(texts)
    except UnstatedPooling as error:
        effects = _effect_sizes(query, {how: embedded(asked, how) for how in ("mean", "cls")})
        raise UnstatedPooling(f"{error}.{effects}") from None
    if not random_words:
        return found
    words = whole_words(pieces_of(model.pieces.tokenizer))
    drawn = WordEmbeddingModel(EmbeddingVocabulary(found, embedded)).look_up(
        query,
        lookup,
        random_words=random_words,
        seed=seed,
        frequency=word_frequency(words, language=language),
    )
    return replace(found, random=drawn.random)


def _effect_sizes(query: Query, by_pooling: Mapping[str, EmbeddedTexts]) -> str:
    """What hangs on the pooling: WEAT's effect size, of a query that has one."""
    sets = (*query.target_sets, *query.attribute_sets)
    if (len(query.target_sets), len(query.attribute_sets)) != (2, 2):
        return ""
    values = [
        f"{text_association(embedded, *sets, p_value='none').effect_size:+.2f} with {pooling}"
        for pooling, embedded in by_pooling.items()
    ]
    return f" On this query the effect size of WEAT is {', '.join(values)}"
