"""The interval of a log odds ratio of co-occurrences where no group is nearer to a topic."""

from __future__ import annotations

from functools import partial

import numpy as np

from fairflow.corpora.draws import Drawn, spread
from fairflow.nulls.methods.method import Tried
from fairflow.statistics.counts import log_odds, log_odds_ratios

# Co-occurrences of a document, on average; and how alike those of one document are.
IN_DOCUMENT, ALIKE, DRAWS = 2.0, 0.8, 200


def flat(n: int, random: np.random.Generator) -> tuple[np.ndarray, np.random.Generator]:
    """Documents with counts of two groups near two topics, each with its themes.

    A document's count in a cell is of Poisson's law, its mean of a gamma law of that cell.
    """
    themes = random.gamma(1 / ALIKE, ALIKE * IN_DOCUMENT, (n, 4))
    return random.poisson(themes), random.spawn(1)[0]


def analytic(world: tuple[np.ndarray, np.random.Generator]) -> bool:
    """Whether the interval of independent co-occurrences leaves 0 out."""
    value, error, _ = log_odds(world[0].sum(axis=0))
    return abs(value) > 1.96 * error


def over_documents(world: tuple[np.ndarray, np.random.Generator]) -> bool:
    """Whether the interval over documents does, which are drawn whole."""
    counts, random = world
    weights = random.multinomial(len(counts), np.full(len(counts), 1 / len(counts)), DRAWS)
    value = float(log_odds_ratios(counts.sum(axis=0)))
    drawn = Drawn(("",) * 4, value, len(counts), documents=log_odds_ratios(weights @ counts))
    _, low, high, _ = spread([(1.0, drawn.over_documents())])
    return not low <= 0 <= high


METHODS = {
    "log_odds": {
        f"{n} documents": Tried(partial(flat, n), analytic, over_documents) for n in (20, 50, 200)
    }
}
