"""The texts of a query as vectors of a language model, and random words beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fairflow.language_models.embed_texts import embed_texts
from fairflow.language_models.embedded_texts import EmbeddedTexts
from fairflow.language_models.embedding_vocabulary import EmbeddingVocabulary, pieces_of
from fairflow.language_models.language_model import LanguageModel
from fairflow.lookup import Lookup
from fairflow.preprocessing import transform_word
from fairflow.query import Query
from fairflow.word_embedding_model import WordEmbeddingModel


def embed_query(
    model: LanguageModel,
    query: Query,
    lookup: Lookup,
    pooling: str,
    layer: int,
    token_budget: int | None = None,
    random_words: int = 0,
    seed: int = 0,
) -> EmbeddedTexts:
    """Every form of every word that the look-up may ask for.

    Parameters
    ----------
    pooling, layer, token_budget : see `embed_texts`.
    random_words, seed : words of the tokenizer's vocabulary that stand in for the target words, see
        `fairflow.vectors.random_rows.draw_random_rows`.
    """

    def embedded(texts: Sequence[str]) -> EmbeddedTexts:
        return embed_texts(model, texts, pooling, layer, token_budget)

    words = [word for own in (*query.target_sets, *query.attribute_sets) for word in own]
    found = embedded([transform_word(w, how, None) for how in lookup.preprocessors for w in words])
    if not random_words:
        return found
    vocabulary = EmbeddingVocabulary(found, pieces_of(model.pieces.tokenizer), embedded)
    drawn = WordEmbeddingModel(vocabulary).look_up(
        query, lookup, random_words=random_words, seed=seed
    )
    return replace(found, random=drawn.random)
