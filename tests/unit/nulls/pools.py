"""Pools of context vectors, and associations whose population is known."""

import numpy as np

# Words of the two target and two attribute sets, contexts of each, and draws.
SIZES, CONTEXTS, DRAWS, DIMS = (4, 3, 3, 2), 5, 12, 6


def pool(spread):
    """The vectors of the contexts of words, around their own: (words, contexts, dims)."""
    random = np.random.default_rng(7)
    words = random.normal(size=(sum(SIZES), 1, DIMS))
    return words + spread * random.normal(size=(sum(SIZES), CONTEXTS, DIMS))


def by_set(vectors):
    """The vectors of each set."""
    return np.split(np.asarray(vectors), np.cumsum(SIZES)[:-1])


def planted(seed, sizes, draws, effect=0.0, words=1.0, gaps=0.0, rest=1.0):
    """Associations with an effect size in the population: (draws, words).

    words, gaps, rest : standard deviations of words, of each set in a draw, and of what remains.
    """
    random, n = np.random.default_rng(seed), sum(sizes)
    share = sizes[0] * sizes[1] / n**2
    between = effect / np.sqrt(1 - share * effect**2) * np.hypot(words, rest)
    first = np.arange(n) < sizes[0]
    # The contexts of the attribute words move all words of a draw.
    found = random.normal(0, words, n) + random.normal(0, 1, (draws, 1)) + between * first
    moved = random.normal(0, gaps, (draws, 2)) @ np.array([first, ~first])
    return found + moved + random.normal(0, rest, (draws, n))
