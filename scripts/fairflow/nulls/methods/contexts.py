"""CEAT where no word is nearer to any attribute: words and their contexts are at random."""

from __future__ import annotations

from functools import partial

import numpy as np

from fairflow.nulls.ceat import associations, authors_p, crossed_effect, effects_of_draws
from fairflow.nulls.methods.method import Tried
from fairflow.statistics.rank_tests import ALPHA

# Words of a set, contexts of a word, dimensions: the variance of an association is .25 / 50.
WORDS, POOL, DIMENSIONS = 8, 1_000, 50


def in_contexts(draws: int, random: np.random.Generator) -> np.ndarray:
    """Associations of the targets in each draw: half of a vector is the word, half its context.

    Returns
    -------
    (draws, 16)
    """
    pool = min(draws, POOL)
    words = random.normal(size=(4, WORDS, 1, DIMENSIONS))
    vectors = words + random.normal(size=(4, WORDS, pool, DIMENSIONS))
    return associations([[*own] for own in vectors])


def meta_analysis(associated: np.ndarray) -> bool:
    """Whether the authors' p of the two-sided test is below .05."""
    _, one_sided = authors_p(*effects_of_draws(associated, WORDS))
    return 2 * min(one_sided, 1 - one_sided) < ALPHA


def crossed(associated: np.ndarray) -> bool:
    """Whether p is below .05 with words and contexts as crossed random effects."""
    return crossed_effect(associated, WORDS).p < ALPHA


METHODS = {
    "ceat": {
        f"{n} draws of contexts": Tried(partial(in_contexts, n), meta_analysis, crossed, worlds=200)
        for n in (10, 100, 1_000)
    }
}
