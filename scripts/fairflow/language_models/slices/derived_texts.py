"""Vectors of texts changed by derivations: a language model that comes from another, without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from fairflow.errors import FairflowError
from fairflow.files.checksums import sha256
from fairflow.language_models.slices.answers import EmbeddedTexts
from fairflow.language_models.slices.slices import read_embeddings
from fairflow.vectors.derivation import Change, Derivation, read_derivation, write_derivation

# Facts of a derivation that count table rows do not apply to language models.
_OF_A_TABLE = ("words", "words_changed", "words_listed")


def derived_texts(embedded: EmbeddedTexts, derivations: Sequence[Derivation]) -> EmbeddedTexts:
    """Texts, and random words among them, with the vectors of a derived model.

    Parameters
    ----------
    derivations : one after the other, from the model that embedded them to the derived one.

    Raises
    ------
    VectorFormatError : one is made for vectors of another length.
    """
    if not derivations:
        return embedded
    rows, random = embedded.rows, embedded.random
    for derivation in derivations:
        rows = _rows(derivation, embedded.texts, rows)
        if random is not None:
            random = replace(random, vectors=_rows(derivation, random.words, random.vectors))
    # The vector of a context template alone is not known for means over context templates.
    return replace(embedded, rows=rows, random=random, context_templates=(), effects={})


def derive_texts(
    change: Change,
    target: str | Path,
    trained_on: Sequence[str | Path],
    derivations: Sequence[str | Path] = (),
    facts: Mapping[str, Any] | None = None,
    entry: str | None = None,
) -> Derivation:
    """Fit a change to the vectors of some texts and write how those of all texts change.

    Parameters
    ----------
    target : where the derivation goes.
    trained_on : the embeddings of what the change looks up, as the network gives them: one file, or
        none of a change that looks nothing up.
    derivations : those of the models between the network and the derived model.
    facts : further ones to be kept with those of the derivation.
    entry : file and key of what asks for it, put in front of what is wrong.

    Raises
    ------
    FairflowError : texts that the change needs have no vector; nothing is written.
    """
    known, texts, rows = {}, [], np.empty((0, 0), dtype=np.float32)
    for path in trained_on:
        before = [read_derivation(each) for each in derivations]
        (read,) = read_embeddings([path]).values()
        embedded = derived_texts(read, before)
        texts = list(embedded)
        rows = embedded.vectors(texts)
        known = {"trained_on_texts": len(texts), "trained_on_sha256": sha256(path)}
    try:
        fitted = change.fit((texts, rows))
    except FairflowError as error:
        raise FairflowError(f"{entry}: {error}" if entry else str(error)) from error
    told = {key: value for key, value in fitted.facts.items() if key not in _OF_A_TABLE}
    derivation = replace(fitted, facts={**(facts or {}), **known, **told})
    write_derivation(derivation, target)
    return derivation


def _rows(derivation: Derivation, texts: Sequence[str], rows: np.ndarray) -> np.ndarray:
    """Changed vectors; those of texts without one stay so."""
    there = np.isfinite(rows).all(axis=1)
    changed = rows.copy()
    named = [text for text, is_there in zip(texts, there, strict=True) if is_there]
    changed[there] = derivation.apply(named, rows[there])
    return changed
