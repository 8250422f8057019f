"""The planted corpora hold what they say: expected co-occurrences, themes and lengths."""

from itertools import pairwise

import numpy as np
import pytest
from planted_corpora import (
    SETS,
    WINDOW,
    draw_documents,
    expected_counts,
    log_odds_ratio,
    planted_rates,
)

SIZE = len(SETS["women"])


def counted(numbers, bounds):
    """(documents, 2, 2) co-occurrences, one window after the other."""
    found = np.zeros((len(bounds) - 1, 2, 2))
    for counts, (start, end) in zip(found, pairwise(bounds), strict=True):
        sets = numbers[start:end] // SIZE
        for at in np.flatnonzero(sets < 2):
            near = sets[max(at - WINDOW, 0) : at + WINDOW + 1]
            counts[sets[at]] += [(near == 2).sum(), (near == 3).sum()]
    return found


@pytest.mark.parametrize("log_odds", [0, 1, -0.5])
def test_the_population_has_the_planted_log_odds_ratio(log_odds):
    rates = planted_rates(log_odds, tokens=2_000, frequency=2)
    expected = expected_counts(rates, 2_000)
    assert log_odds_ratio(expected) == pytest.approx(log_odds, abs=1e-9)
    found = counted(*draw_documents(np.random.default_rng(1), rates, 500, 2_000))
    errors = found.std(axis=0) / np.sqrt(len(found))
    assert np.abs((found.mean(axis=0) - expected) / errors).max() < 3.5


def test_co_occurrences_of_a_document_depend_on_each_other_as_those_of_speeches_do():
    """Their variance over documents of equal length would be their mean; lengths vary, too."""
    found = counted(*draw_documents(np.random.default_rng(2), planted_rates(1.0), 100))
    influence = found.reshape(-1, 4) @ (np.array([1, -1, -1, 1]) / found.sum(axis=0).ravel())
    ratio = np.sqrt((influence**2).sum() / (1 / found.sum(axis=0)).sum())
    assert 1.2 < ratio < 1.8
