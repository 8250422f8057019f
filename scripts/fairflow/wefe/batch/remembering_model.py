"""A model that seeks each word set once, however many queries use it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fairflow.queries.lookup import Lookup, SetLookup
from fairflow.queries.query import Query
from fairflow.vectors import word_embedding_model
from fairflow.vectors.query_vectors import QueryVectors
from fairflow.wefe.word_embedding_model import WordEmbeddingModel

KNOWN = (WordEmbeddingModel, word_embedding_model.WordEmbeddingModel)


class RememberingModel(WordEmbeddingModel):
    """The same words, name and prefix as `model`, with a memory for the look-up of word sets.

    Made for one batch: a later change of the vectors would go unnoticed.
    """

    def __init__(self, model: word_embedding_model.WordEmbeddingModel) -> None:
        super().__init__(model.wv, model.name, model.vocab_prefix)
        self._lookup: Lookup | None = None
        self._sets: dict[tuple[str, ...], QueryVectors] = {}

    def look_up(self, query: Query, lookup: Lookup, **random_words: int) -> QueryVectors:
        """As that of `WordEmbeddingModel`, with every set of words sought only once.

        What a query declares besides its sets is sought anew.
        """
        if random_words or query.declared:
            return super().look_up(query, lookup, **random_words)
        if lookup != self._lookup:
            self._lookup, self._sets = lookup, {}
        sets = [self._look_up_set(words, lookup) for words in query.target_sets]
        targets = _accounts(sets, query.target_sets_names)
        against = [self._look_up_set(words, lookup) for words in query.attribute_sets]
        attributes = _accounts(against, query.attribute_sets_names)
        forms, vectors = _gathered(targets + attributes, [*sets, *against])
        return QueryVectors(targets, attributes, forms, vectors, lookup)

    def _look_up_set(self, words: Sequence[str], lookup: Lookup) -> QueryVectors:
        key = tuple(words)
        if key not in self._sets:
            self._sets[key] = super().look_up(Query([list(words)], []), lookup)
        return self._sets[key]


def remembering(
    model: word_embedding_model.WordEmbeddingModel,
) -> word_embedding_model.WordEmbeddingModel:
    """The model with a memory; itself when its class may look words up in a way of its own."""
    return RememberingModel(model) if type(model) in KNOWN else model


def _accounts(sets: Sequence[QueryVectors], names: Sequence[str]) -> tuple[SetLookup, ...]:
    accounts = (part.targets[0] for part in sets)
    return tuple(replace(account, name=name) for account, name in zip(accounts, names, strict=True))


def _gathered(
    accounts: Sequence[SetLookup], sets: Sequence[QueryVectors]
) -> tuple[tuple[str, ...], np.ndarray]:
    """Distinct forms of the accounts in order of first appearance, and their (forms, dims)."""
    rows: dict[str, int] = {}
    start = 0
    for account, part in zip(accounts, sets, strict=True):
        for row, form in enumerate(part.forms, start):
            if form in account.found:
                rows.setdefault(form, row)
        start += len(part.forms)
    if not rows:
        return (), sets[0].vectors[:0]
    vectors = np.concatenate([part.vectors for part in sets if part.forms])
    return tuple(rows), vectors if len(rows) == start else vectors[list(rows.values())]
