"""Worlds of documents that are drawn whole, for the page on intervals."""

from functools import partial

import numpy as np
from worlds_of_intervals import normal, skewed

from fairflow.corpora.draws import Drawn, spread

DRAWS = 200


def of_documents(draw, random, n):
    """A mean of what n units of 1 to 8 tokens hold, which are drawn whole."""
    sizes, means = random.integers(1, 9, n), draw(random, n)
    weights = random.multinomial(n, np.full(n, 1 / n), DRAWS) * sizes
    key, value = ("", "", "", ""), float(sizes @ means / sizes.sum())
    drawn = Drawn(key, value, n, documents=weights @ means / weights.sum(axis=1))
    _, low, high, _ = spread([(1.0, drawn.over_documents())])
    return low, high


PLANNED = {
    "clusters": {
        f"mean of {name} documents of 1 to 8 tokens": (0, partial(of_documents, draw), 5, 8, 25)
        for name, draw in (("normal", normal), ("skewed", skewed))
    }
}
