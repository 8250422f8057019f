"""How much a score hangs on single words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Sensitivity:
    """The range of a value when any one word is left out, and the word that moves it most."""

    low: float = math.nan
    high: float = math.nan
    word: str | None = None


def sensitivity(
    value: float, left_out: Sequence[np.ndarray], names: Sequence[Sequence[str]]
) -> Sensitivity:
    """Judge the values with one word left out.

    Parameters
    ----------
    left_out : per set the values with each of its words left out; undefined ones do not count.
    names : per set the words.
    """
    values = np.concatenate(left_out)
    words = [word for group in names for word in group]
    if math.isnan(value) or np.isnan(values).all():
        return Sensitivity()
    most = int(np.nanargmax(np.abs(values - value)))
    return Sensitivity(float(np.nanmin(values)), float(np.nanmax(values)), words[most])
