"""Reading the declared vocabulary of a query out of a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fairflow.errors import FairflowError
from fairflow.queries.declared import Vocabulary
from fairflow.vectors.derived_model import DerivedRows
from fairflow.vectors.hidden_bias import leanings
from fairflow.vectors.looked_at import LookedAt
from fairflow.vectors.most_frequent import directions, first_words, plain_words
from fairflow.vectors.query_vectors import QueryVectors
from fairflow.vectors.remembered_store import RememberedStore
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_rows import WordRows, word_rows


def with_vocabulary(looked_up: QueryVectors, model: WordEmbeddingModel) -> QueryVectors:
    """The vectors of a query with those of the vocabulary that it declares, if it declares one.

    The words of a derived model lean as they do in the model that it was made of in the end.

    Raises
    ------
    FairflowError : the vectors of some words alone are at hand, not those of a whole model.
    """
    vocabulary = looked_up.declared.vocabulary
    if vocabulary is None:
        return looked_up
    store = model.wv.store if isinstance(model.wv, RememberedStore) else model.wv
    try:
        whole = word_rows(WordEmbeddingModel(store, model.name, model.vocab_prefix))
        before = word_rows(WordEmbeddingModel(_first(store), model.name, model.vocab_prefix))
    except TypeError as error:
        raise FairflowError(
            "a query that declares a vocabulary needs a whole model: name both in a study"
        ) from error
    pairs = looked_up.pairs
    ends = [] if pairs is None else [form for form in pairs.form_of[:2] if form]
    if model.vocab_prefix:
        ends = [form.removeprefix(model.vocab_prefix) for form in ends]
    same = _first(store) is store
    return replace(looked_up, looked_at=look_at(whole, whole if same else before, vocabulary, ends))


def _first(store: WordRows) -> WordRows:
    """The model that a derived one was made of in the end; any other itself."""
    while isinstance(store, DerivedRows):
        store = store.base
    return store


def look_at(
    model: WordRows,
    before: WordRows,
    vocabulary: Vocabulary,
    ends: Sequence[str] = (),
) -> LookedAt:
    """The words of a vocabulary that a model has, as they lie in it.

    Parameters
    ----------
    before : the model that it was made of, whose first words they are and in which they lean; the
        model itself where it was made of no other.
    ends : two words between which words lean; none where that is of no interest.

    Raises
    ------
    FairflowError : no word of the vocabulary is in both.
    """
    size = len(before) if vocabulary.first is None else vocabulary.first
    first = first_words(before, size)
    if vocabulary.limited:
        chosen = plain_words(first.words, vocabulary.without)
    else:
        left_out = frozenset(vocabulary.without)
        chosen = [word for word in first.words if word not in left_out]
    here = first if model is before else first.among(model)
    if len(chosen) == len(here.words) == len(first.words):
        words, found = here.words, here.directions
    else:
        at = {word: row for row, word in enumerate(here.words)}
        words = tuple(word for word in chosen if word in at)
        found = here.directions[[at[word] for word in words]]
    if not words:
        raise FairflowError("no word of the vocabulary is in the model")
    lost = [word for word in ends if word not in before]
    if len(ends) != 2 or lost:
        note = f"the model before lacks {' and '.join(lost)}" if lost else "no pair is declared"
        return LookedAt(words, found, None, len(chosen), note)
    sides, usable = directions(before.vectors(list(ends)))
    if not usable.all():
        return LookedAt(words, found, None, len(chosen), "a word of the pair has no direction")
    rows = first.rows_of(words)
    return LookedAt(words, found, leanings(first.directions[rows], sides), len(chosen))
