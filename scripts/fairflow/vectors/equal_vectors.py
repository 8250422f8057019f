"""Whether two models are the same vectors, by the words of queries that both have."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fairflow.vectors.directions import unit
from fairflow.vectors.query_vectors import QueryVectors

# Fewer words in common say nothing of two models.
LEAST_WORDS = 20
# What rounding to half precision leaves of a direction.
LEAST_COSINE = 0.9999


def same_directions(ours: Mapping[str, QueryVectors], theirs: Mapping[str, QueryVectors]) -> bool:
    """Whether every word that both hold points the same way in both, at whatever length.

    Parameters
    ----------
    ours, theirs : query -> its slice of a model. Of fewer than `LEAST_WORDS` words in common with a
        direction it is not said.
    """
    first, second = _rows(ours), _rows(theirs)
    both = [form for form in first if form in second]
    if len(both) < LEAST_WORDS or first[both[0]].shape != second[both[0]].shape:
        return False
    left, right = (
        unit(np.stack([rows[form] for form in both]).astype(np.float64)) for rows in (first, second)
    )
    return bool((np.einsum("ij,ij->i", left, right) >= LEAST_COSINE).all())


def _rows(slices: Mapping[str, QueryVectors]) -> dict[str, np.ndarray]:
    """Word -> its vector, of those that have a direction."""
    rows: dict[str, np.ndarray] = {}
    for one in slices.values():
        useless = {*one.without_direction}
        pairs = zip(one.forms, one.vectors, strict=True)
        rows |= {form: row for form, row in pairs if form not in useless}
    return rows


def as_found(how: Mapping[str, Any], paths: Sequence[str | Path]) -> dict[str, Any]:
    """What decides a table, its "vectors" with the names of those that were found to be equal.

    Parameters
    ----------
    how : "vectors" is the name of each model's vectors, which several models may share.
    paths : of a JSON file with such "vectors"; none where all models are known.
    """
    vectors = dict(how["vectors"])
    for path in paths:
        vectors |= json.loads(Path(path).read_text(encoding="utf-8"))["vectors"]
    return {**how, "vectors": vectors}
