"""The words of a set as units that are resampled among themselves."""

from __future__ import annotations

import numpy as np

from fairflow.statistics.kernel import Stratum
from fairflow.vectors.query_vectors import WordVectors


def stratum_of(words: WordVectors) -> Stratum:
    """The rows of a word set as units."""
    unit_of = words.row_of
    repeated = np.ones(len(unit_of), dtype=bool)
    repeated[np.unique(unit_of, return_index=True)[1]] = False
    unit_of[repeated] = -1
    if np.count_nonzero(unit_of >= 0) < len(words.words):
        # Several forms of a word are in the set: then the forms are what was asked for.
        return Stratum(words.words, np.arange(len(words.words)), words.words)
    asked = tuple(words.asked or words.words)
    return Stratum(asked, unit_of, words.words)
