"""`wefe.preprocessing`: vectors of word sets, tuples and queries, as dictionaries by form.

A form is a word after its preprocessing, with the prefix of the model's vocabulary in front.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import numpy as np

from fairflow.metrics.base_metric import check_flags, check_threshold
from fairflow.queries.lookup import Lookup, Preprocessor, SetLookup, log_lost_words, look_up_set
from fairflow.queries.lookup import preprocess_word as preprocess_word
from fairflow.queries.query import Query
from fairflow.vectors.word_embedding_model import WordEmbeddingModel, as_model
from fairflow.vectors.word_rows import row_lengths
from fairflow.wefe.former_names import takes_former_names

logger = logging.getLogger(__name__)

EmbeddingDict = dict[str, np.ndarray]
EmbeddingSets = dict[str, EmbeddingDict]

# The default of every look-up: words are looked up as they are written.
AS_WRITTEN: list[Preprocessor] = [{}]


@takes_former_names()
def get_embeddings_from_set(
    model: WordEmbeddingModel,
    word_set: Sequence[str],
    preprocessors: Sequence[Preprocessor] = AS_WRITTEN,
    strategy: str = "first",
    normalize: bool = False,
    verbose: bool = False,
) -> tuple[list[str], EmbeddingDict]:
    """The words of a set that the model does not hold, and the vectors of the others.

    Different from WEFE: only words without any form found count as not found, as they were
    given and each once (D20); a repeated word is found, not lost (D17); strategy "all" finds
    several forms of a word but hides no lost one (D18); a zero vector cannot be normalised (D21).

    Parameters
    ----------
    word_set : list, tuple or array of words.
    preprocessors, strategy : see `fairflow.queries.lookup.Lookup`.
    normalize : divide each vector by its length.
    verbose : log how many words were found.

    Returns
    -------
    (not found words, {form: vector}) : vectors of (dims,), of the model's type, in order of
        discovery.

    Raises
    ------
    TypeError : not a model, a list of words, a list of preprocessors or a truth value.
    ValueError : another strategy than "first" and "all".
    FairflowError : `normalize` and a zero or non-finite vector; the forms are named.
    """
    check_flags(normalize=normalize, verbose=verbose)
    model = checked_model(model)
    account = _look_up(model, word_set, Lookup(preprocessors, strategy))
    _log("word set", account, verbose, False)
    return list(dict.fromkeys(account.lost)), _vectors_of(model, account, normalize)


def get_embeddings_from_tuples(
    model: WordEmbeddingModel,
    sets: Sequence[Sequence[str]],
    sets_name: str | None = None,
    preprocessors: Sequence[Preprocessor] = AS_WRITTEN,
    strategy: str = "first",
    normalize: bool = False,
    discard_incomplete_sets: bool = True,
    warn_lost_sets: bool = True,
    verbose: bool = False,
) -> list[EmbeddingDict]:
    """The vectors of each tuple of words, for example of the pairs that define a direction.

    Different from WEFE: an incomplete tuple is dropped whatever `warn_lost_sets` says, and one of
    which every word is found by some preprocessor is complete (D19).

    Parameters
    ----------
    sets : list, tuple or array of tuples of words.
    sets_name : what the log and errors call the sets.
    preprocessors, strategy, normalize : as for `get_embeddings_from_set`.
    verbose : log how many words of each set were found, and print how many sets are kept.
    discard_incomplete_sets : drop a tuple with a lost word; otherwise keep the words found.
    warn_lost_sets : log each incomplete tuple.

    Returns
    -------
    [{form: vector}, ...] : one dictionary per tuple kept, in the order of `sets`.

    Raises
    ------
    TypeError, FairflowError : as for `get_embeddings_from_set`.
    ValueError : no vector is left; another strategy than "first" and "all".
    """
    if sets_name is not None and not isinstance(sets_name, str):
        raise TypeError(f"sets_name must be a string or None, got {sets_name!r}")
    check_flags(
        normalize=normalize,
        discard_incomplete_sets=discard_incomplete_sets,
        warn_lost_sets=warn_lost_sets,
        verbose=verbose,
    )
    if not isinstance(sets, (list, tuple, np.ndarray)):
        raise TypeError(f"sets must be a list, tuple or array, got {type(sets)}")
    lookup = Lookup(preprocessors, strategy)
    model = checked_model(model)
    accounts = [_look_up(model, words, lookup) for words in sets]
    name = sets_name or "word sets"
    for account in accounts:
        _log(f"{name}: {account.words}", account, verbose, warn_lost_sets)
    kept = [a for a in accounts if not (a.lost and discard_incomplete_sets)]
    if not any(account.found for account in kept):
        lost = sorted({word for account in accounts for word in account.lost})
        raise ValueError(f"{name}: none of {len(accounts)} sets is left; lost words: {lost}")
    if verbose:
        print(f"{len(kept)}/{len(sets)} sets of words were converted to sets of embeddings")
    return [_vectors_of(model, account, normalize) for account in kept]


@takes_former_names()
def get_embeddings_from_query(
    model: WordEmbeddingModel,
    query: Query,
    lost_vocabulary_threshold: float = 0.2,
    preprocessors: Sequence[Preprocessor] = AS_WRITTEN,
    strategy: str = "first",
    normalize: bool = False,
    warn_not_found_words: bool = False,
    verbose: bool = False,
) -> tuple[EmbeddingSets, EmbeddingSets] | None:
    """The vectors of a query's target sets and attribute sets, or None if a set lost too many.

    Different from WEFE: a repeated word is not lost (D17), strategy "all" hides no lost word
    (D18), and two sets cannot overwrite each other, as a `Query` refuses equal names (D7).

    Parameters
    ----------
    lost_vocabulary_threshold : the share of its words that a set may lose.
    preprocessors, strategy, normalize, verbose : as for `get_embeddings_from_set`.
    warn_not_found_words : log the lost words of each set.

    Returns
    -------
    (targets, attributes) : each {set name: {form: vector}}; None, and the reason in the log, if
        a set lost a larger share than the threshold.

    Raises
    ------
    TypeError : not a model, a query, a number, a list of preprocessors or a truth value.
    ValueError : another strategy than "first" and "all".
    FairflowError : `normalize` and a zero or non-finite vector; the forms are named.
    """
    model = checked_model(model)
    if not isinstance(query, Query):
        raise TypeError(f"query must be a Query, got {type(query)}")
    check_flags(normalize=normalize, warn_not_found_words=warn_not_found_words, verbose=verbose)
    check_threshold(lost_vocabulary_threshold)
    # As in WEFE, a vector of zeros is one.
    lookup = Lookup(preprocessors, strategy, float(lost_vocabulary_threshold), "error")
    looked_up = model.look_up(query, lookup)
    for account in looked_up.accounts:
        _log(account.name, account, verbose, warn_not_found_words)
    if looked_up.rejected:
        _, reason = looked_up.rejected
        logger.warning("%s has no vectors in %s: %s", query.query_name, model.name, reason)
        return None
    vectors = _by_form(looked_up.forms, looked_up.vectors, normalize)

    def taken(accounts: Sequence[SetLookup]) -> EmbeddingSets:
        # Copies: changing a vector in one set must not change another.
        return {a.name: {form: vectors[form].copy() for form in a.found} for a in accounts}

    return taken(looked_up.targets), taken(looked_up.attributes)


def _look_up(model: WordEmbeddingModel, words: Sequence[str], lookup: Lookup) -> SetLookup:
    if not isinstance(words, (list, tuple, np.ndarray)):
        raise TypeError(f"a word set must be a list, tuple or array, got {type(words)}")
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"a word must be a string, got {word!r}")
    words = [str(word) for word in words]
    how = model.__contains__, lookup, model.vocab_prefix, model.composes
    return look_up_set("word set", words, *how)


def checked_model(model: Any) -> WordEmbeddingModel:
    """The model, or one of gensim's vectors; anything else is refused with TypeError."""
    model = as_model(model)
    if not isinstance(model, WordEmbeddingModel):
        raise TypeError(f"model must be a WordEmbeddingModel, got {type(model)}")
    return model


def _vectors_of(model: WordEmbeddingModel, account: SetLookup, normalize: bool) -> EmbeddingDict:
    forms = list(account.found)
    return _by_form(forms, model.vectors(forms), normalize)


def _by_form(forms: Sequence[str], matrix: np.ndarray, normalize: bool) -> EmbeddingDict:
    if normalize:
        matrix = (matrix / row_lengths(matrix, forms)[:, np.newaxis]).astype(matrix.dtype)
    return dict(zip(forms, matrix, strict=True))


def _log(name: str, account: SetLookup, verbose: bool, warn: bool) -> None:
    if verbose:
        n_found = len(account.words) - len(account.lost)
        logger.info("%s: found %d of %d words", name, n_found, len(account.words))
    if warn:
        log_lost_words(name, account)
