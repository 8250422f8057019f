"""Which scores of a metric are the fairer ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

Scores = TypeVar("Scores", "pd.Series", "np.ndarray")


def unfairness(scores: Scores, direction: Mapping[str, bool]) -> Scores:
    """Scores of one metric as numbers that are the smaller, the fairer.

    Parameters
    ----------
    direction : signed (both signs mean association, so that sizes are compared) and
        larger_is_fairer.
    """
    size = abs(scores) if direction["signed"] else scores
    return -size if direction["larger_is_fairer"] else size
