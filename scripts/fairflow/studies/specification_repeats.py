"""Specifications that ask the same twice, so that a comparison is counted once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fairflow.studies.specifications import ANY, Measured, Specification

# Of the largest value: what rounding leaves between values and their multiples.
_ROUNDING = 1e-9


class Compared(NamedTuple):
    """What two models were compared on.

    Attributes
    ----------
    specification : its aggregation left open. of_query : the query of each sub-query that both
    define. values : (2, sub-queries), of both models.
    """

    specification: Specification
    of_query: np.ndarray
    values: np.ndarray


def different_rules(measured: Measured, values: np.ndarray) -> tuple[str, ...]:
    """How queries become one number: `ANY` where that makes no difference to the comparison.

    It makes none to a metric without a sign, which has one mean, nor where all values of each model
    have one sign: the mean of absolute values is then the size of the mean.

    Parameters
    ----------
    values : (2, sub-queries), of both models, all defined; zero has either sign.
    """
    one_sign = ((values >= 0).all(axis=1) | (values <= 0).all(axis=1)).all()
    return (ANY,) if one_sign or len(measured.rules) == 1 else measured.rules


def repeated_variant(compared: Compared, earlier: Sequence[Compared]) -> str | None:
    """The variant of the same metric whose values are these in another unit, None if there is none.

    All other choices are equal, and so is the factor of all values of both models: every mean of
    them is in the same proportion.
    """
    for other in earlier:
        if (
            compared.specification.metric == other.specification.metric
            and compared.specification.agrees(other.specification, but="variant")
            and np.array_equal(compared.of_query, other.of_query)
            and _proportional(compared.values, other.values)
        ):
            return other.specification.variant
    return None


def _proportional(values: np.ndarray, others: np.ndarray) -> bool:
    """Whether one positive factor turns the one into the other."""
    largest = np.unravel_index(np.abs(others).argmax(), others.shape)
    if values[largest] * others[largest] <= 0:
        return False
    multiples = others * (values[largest] / others[largest])
    return np.allclose(values, multiples, rtol=0, atol=_ROUNDING * np.abs(values).max())
