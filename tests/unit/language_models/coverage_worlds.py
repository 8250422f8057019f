"""Worlds of shares of items, for the page on intervals."""

from functools import partial

import numpy as np
from worlds_of_intervals import of_statistic

from fairflow.language_models.items.text_items import PairItem
from fairflow.language_models.scoring.item_metric import ItemScores, Measured, mean_of
from fairflow.statistics.counts import with_end_interval
from fairflow.statistics.intervals import LEVEL
from fairflow.statistics.uncertainty import Uncertainty


def of_share(share, alike, most, random, n):
    """A share of items in n units of 1 to `most` items, which are alike to a degree."""
    of_unit = np.full(n, share)
    if alike:
        of_unit = random.beta(*(np.array([share, 1 - share]) * (1 - alike) / alike), n)
    unit = np.repeat(np.arange(n), random.integers(1, most + 1, n))
    values = (random.random(len(unit)) < of_unit[unit]).astype(float)
    items = tuple(PairItem(str(i), "", "", cluster=str(of)) for i, of in enumerate(unit))
    known = ("ok",) * len(unit), (None,) * len(unit)
    scores = ItemScores("metric", "value", items, values, *known)
    scale, value = (0.0, 1.0), float(values.mean())
    measured = Measured(
        scores, lambda weights: {"share": mean_of(values, weights)}, ends={"share": scale}
    )
    low, high = of_statistic(value, measured.statistic, "share", random)
    found = with_end_interval(Uncertainty(ci_low=low, ci_high=high), value, scale, n, LEVEL)
    return found.ci_low, found.ci_high


PLANNED = {
    "words": {
        "share 0.02 of single items": (0.02, partial(of_share, 0.02, 0, 1), 25, 120),
        "share 0.5 of single items": (0.5, partial(of_share, 0.5, 0, 1), 25, 120),
        "share 0.9 of single items": (0.9, partial(of_share, 0.9, 0, 1), 25, 120),
        "share 0.3 of items in clusters of 1 to 8": (0.3, partial(of_share, 0.3, 0.2, 8), 8, 30),
    }
}
