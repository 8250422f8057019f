"""From a model to one derived from it: the few arrays by which its vectors are served."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from fairflow.errors import FairflowError
from fairflow.files.atomic import sha256
from fairflow.vectors.derivation import Derivation, write_derivation
from fairflow.vectors.derived_store import BASE, PREFIX, DerivedStore, open_store
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_rows import WordRows, word_rows


class Change(Protocol):
    """What turns the vectors of one model into those of another."""

    def fit(self, base: WordRows) -> Derivation:
        """How the vectors of `base` change."""


def derive(
    change: Change,
    target: str | Path,
    vectors: str | Path,
    index: str | Path,
    card: str | Path,
    derivations: Sequence[str | Path] = (),
    prefix: str | None = None,
    facts: Mapping[str, Any] | None = None,
    entry: str | None = None,
) -> Derivation:
    """Fit a change to a model and write how its vectors change; `open_store` serves them.

    Parameters
    ----------
    target : where the derivation goes.
    vectors, index, card, derivations : the files of the model, as for `open_store`.
    prefix : what the words of the model have in front of those that the change names.
    facts : further ones to be kept with those of the derivation, and the sha256 of the base's card
        or derivation.
    entry : file and key of what asks for it, put in front of what the model lacks.

    Raises
    ------
    FairflowError : the model is damaged, or lacks what the change needs; nothing is written.
    """
    with open_store(vectors, index, card, derivations) as store:
        try:
            derivation = change.fit(word_rows(WordEmbeddingModel(store, vocab_prefix=prefix)))
        except FairflowError as error:
            if entry is None:
                raise
            raise FairflowError(f"{entry}: {error}") from error
        # Refuses one that does not fit the model.
        DerivedStore(store, derivation)
    known = {BASE: sha256([card, *derivations][-1]), PREFIX: prefix, **(facts or {})}
    derivation = replace(derivation, facts={**known, **derivation.facts})
    write_derivation(derivation, target)
    return derivation
