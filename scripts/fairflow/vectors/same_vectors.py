"""Whether two models have the same vectors, by the words that are looked up in both."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fairflow.vectors.directions import unit
from fairflow.vectors.query_vectors import QueryVectors

# Two models with fewer words in common are not compared.
LEAST_WORDS = 20
# Least cosine between a direction and itself rounded to half precision.
LEAST_COSINE = 0.9999


def same_directions(ours: Mapping[str, QueryVectors], theirs: Mapping[str, QueryVectors]) -> bool:
    """Whether all common words of two models have the same directions, whatever their lengths.

    Parameters
    ----------
    ours, theirs : query -> its slice of a model. False if fewer than `LEAST_WORDS` common words
        have a direction.
    """
    first, second = _directed(ours), _directed(theirs)
    both = [form for form in first if form in second]
    if len(both) < LEAST_WORDS or first[both[0]].shape != second[both[0]].shape:
        return False
    left, right = (
        unit(np.stack([rows[form] for form in both]).astype(np.float64)) for rows in (first, second)
    )
    return bool((np.einsum("ij,ij->i", left, right) >= LEAST_COSINE).all())


def _directed(slices: Mapping[str, QueryVectors]) -> dict[str, np.ndarray]:
    """Word -> its vector, for words with a direction."""
    rows: dict[str, np.ndarray] = {}
    for one in slices.values():
        useless = {*one.without_direction}
        pairs = zip(one.forms, one.vectors, strict=True)
        rows |= {form: row for form, row in pairs if form not in useless}
    return rows
