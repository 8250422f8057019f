"""Resamples of word sets, drawn once where several queries share a set."""

from itertools import islice

import numpy as np
import pytest

from fairflow.statistics import word_draws
from fairflow.statistics.word_draws import (
    LARGE,
    kept_draws,
    word_resamples,
)

from .word_sets import stratum


def drawn(one, seed=1, blocks=2):
    return list(islice(word_resamples(one, seed), blocks))


SETS = [stratum(*"abcd"), stratum(*"abcd", lost="b"), stratum(*"efg"), stratum("h")]


def test_a_kept_set_is_drawn_once_and_few_are_kept(monkeypatch):
    made = []
    original = word_draws._drawn
    monkeypatch.setattr(
        word_draws, "_drawn", lambda one, seed: made.append(one.names) or original(one, seed)
    )
    monkeypatch.setattr(word_draws, "MOST_KEPT", len(SETS[0]) + len(SETS[1]))
    with kept_draws():
        for number in (0, 1, 0, 2, 0, 1):
            drawn(SETS[number])
    assert made == [SETS[number].names for number in (0, 1, 2, 1)]
    drawn(SETS[0])
    assert len(made) == 5


WORDS = tuple(f"w{number}" for number in range(LARGE + 3))
LARGE_SET = stratum(*WORDS)


def test_words_of_a_large_set_have_counts_of_mean_and_variance_one():
    rows = np.concatenate(drawn(LARGE_SET, blocks=4)).astype(float)
    np.testing.assert_allclose(rows.sum(axis=1), len(WORDS), rtol=1e-5)
    # Each of a thousand rows: within four standard errors, of a variance those of Poisson's.
    assert abs(rows.mean(axis=0) - 1).max() < 4.5 / 1_000**0.5
    assert abs(rows.var(axis=0).mean() - 1) < 0.01
    third = ((rows - 1) ** 3).mean()
    assert abs(third - 1) < 0.03
    pairs = np.corrcoef(rows.T)[np.triu_indices(len(WORDS), 1)]
    assert abs(pairs.mean()) < 0.01


def test_a_model_that_lost_words_of_a_large_set_has_the_others_in_the_same_proportions():
    lost = {"w0", "w7", WORDS[-1]}
    (whole,), (lossy,) = (drawn(one, blocks=1) for one in (LARGE_SET, stratum(*WORDS, lost=lost)))
    kept = whole[:, [word not in lost for word in WORDS]]
    np.testing.assert_allclose(lossy, kept * (lossy.shape[1] / kept.sum(axis=1))[:, None], 1e-5)
    np.testing.assert_allclose(lossy.sum(axis=1), len(WORDS) - 3, rtol=1e-5)


def test_means_over_a_large_set_spread_as_those_of_places_do(monkeypatch):
    values = np.random.default_rng(1).exponential(size=len(WORDS))

    def means():
        return np.concatenate(drawn(LARGE_SET, blocks=40)) @ values / len(WORDS)

    counts = means()
    monkeypatch.setattr(word_draws, "LARGE", len(WORDS))
    places = means()
    # 10,000 draws each: a spread within 1 %, a quantile within 3 % of the spread.
    spread = values.std() / len(WORDS) ** 0.5
    for drawn_means in (counts, places):
        assert drawn_means.std() == pytest.approx(spread, rel=0.03)
        assert drawn_means.mean() == pytest.approx(values.mean(), abs=0.05 * spread)
    levels = (0.025, 0.25, 0.5, 0.75, 0.975)
    np.testing.assert_allclose(
        np.quantile(counts, levels), np.quantile(places, levels), atol=0.08 * spread
    )
