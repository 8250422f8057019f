"""CEAT by its authors' code, and with words and contexts as crossed random effects."""

import json
from pathlib import Path

import numpy as np
import pytest
from pools import CONTEXTS, DRAWS, SIZES, by_set, planted, pool
from scipy import stats

from fairflow.metrics.weat import associations as weat_associations
from fairflow.nulls.ceat import associations, authors_p, crossed_effect, effects_of_draws

AUTHORS = json.loads(
    (Path(__file__).parents[2] / "data/ceat_authors.json").read_text(encoding="utf-8")
)
EXACT = {"rel": 1e-12, "abs": 1e-14}


@pytest.mark.parametrize("spread", ["1.0", "0.1"], ids=["contexts differ", "contexts are alike"])
def test_the_formula_of_the_authors_is_their_code(spread):
    theirs = AUTHORS[spread]
    contexts = np.random.RandomState(0).randint(0, CONTEXTS, (DRAWS, sum(SIZES)))
    associated = associations(by_set(pool(float(spread))), contexts)
    effects, variances = effects_of_draws(associated, SIZES[0])
    assert effects == pytest.approx(theirs["effects"], **EXACT)
    assert variances == pytest.approx(theirs["variances"], **EXACT)
    assert authors_p(effects, variances) == pytest.approx(
        (theirs["combined"], theirs["p"]), **EXACT
    )


def test_draw_k_has_the_kth_context_of_every_word_as_far_as_each_has_one():
    sets = [list(own) for own in by_set(pool(1.0))]
    sets[3][1] = sets[3][1][:3]
    associated = associations(sets)
    assert associated.shape == (3, SIZES[0] + SIZES[1])
    third = [np.array([contexts[2] for contexts in words]) for words in sets]
    expected = [weat_associations(words, *third[2:]) for words in third[:2]]
    assert associated[2] == pytest.approx(np.concatenate(expected))


def test_words_alone_give_the_t_test_and_the_noncentral_t():
    words = planted(1, (5, 9), 1, effect=1.0)[0]
    found = crossed_effect(np.tile(words, (4, 1)) + np.arange(4)[:, np.newaxis], 5)
    t, p = stats.ttest_ind(words[:5], words[5:])
    assert found.p == pytest.approx(p, rel=0.01)
    scale = np.sqrt(1 / 5 + 1 / 9)
    for end, tail in ((found.low, 0.975), (found.high, 0.025)):
        g = end / np.sqrt(1 - end**2 * 45 / 14**2)
        assert stats.nct.cdf(t, 12, g / scale) == pytest.approx(tail, abs=0.001)


def mean_squares(s, n_first):
    """Words, draws times sets and rest, as Var(difference) = (word + draw - rest) * 2 / (K n)."""
    draws, n = s.shape
    word = draw = rest = 0.0
    for own in (s[:, :n_first], s[:, n_first:]):
        for w in range(own.shape[1]):
            word += draws * (own[:, w].mean() - own.mean()) ** 2 / (n - 2)
            for k in range(draws):
                residual = own[k, w] - own[k].mean() - own[:, w].mean() + own.mean()
                rest += residual**2 / ((n - 2) * (draws - 1))
    gaps = s[:, :n_first].mean(axis=1) - s[:, n_first:].mean(axis=1)
    draw = gaps.var(ddof=1) / (1 / n_first + 1 / (n - n_first))
    return word, draw, rest


def test_the_interval_is_that_of_a_million_random_variances():
    s = planted(3, (4, 6), 8, effect=0.8, words=0.5, gaps=0.3)
    word, draw, rest = mean_squares(s, 4)
    gap, halves = s[:, :4].mean() - s[:, 4:].mean(), 24 / 100
    random = np.random.default_rng(0)
    degrees = np.array([8, 7, 56])
    w, d, r = (degrees * (word, draw, rest) / random.chisquare(degrees, (10**6, 3))).T
    variance = np.maximum(w + d - r, np.minimum(w, d)) / (halves * 10 * 8)
    effects = (gap - random.normal(size=10**6) * np.sqrt(variance)) / np.sqrt(w / 8 + r * 7 / 8)
    effects /= np.sqrt(1 + halves * effects**2)
    found = crossed_effect(s, 4)
    expected = gap / np.sqrt(word / 8 + rest * 7 / 8)
    assert found.effect == pytest.approx(expected / np.sqrt(1 + halves * expected**2))
    assert (found.low, found.high) == pytest.approx(np.quantile(effects, (0.025, 0.975)), abs=0.004)
    assert found.p == pytest.approx(2 * min((effects < 0).mean(), (effects > 0).mean()), rel=0.02)


def test_significant_is_an_interval_without_0():
    found = [crossed_effect(planted(n, (8, 8), 10, effect=0.6), 8) for n in range(60)]
    assert {one.p < 0.05 for one in found} == {True, False}
    assert all((one.p < 0.05) == (one.low > 0 or one.high < 0) for one in found)


@pytest.mark.parametrize(
    ("associated", "n_first", "reason"),
    [
        (np.eye(3, 5), 1, "1 and 4 words in 3 draws, 2 of each are needed"),
        (np.eye(1, 5), 2, "2 and 3 words in 1 draws, 2 of each are needed"),
        (np.outer([0.1, 0.2], [3, 3, 5, 5]), 2, "all words of a set have the same association"),
    ],
)
def test_too_few_words_or_draws_or_no_spread_have_a_reason(associated, n_first, reason):
    found = crossed_effect(associated, n_first)
    assert np.isnan(found[:4]).all()
    assert found.reason.startswith(reason)


def test_intervals_hold_the_planted_effect_and_exchangeable_words_have_none():
    """Of 200 worlds each, 95 % give or take three standard errors; tests/slow has more of both."""
    for effect in (0.0, 1.0):
        worlds = (planted([n, 8], (6, 6), 12, effect, words=0.5) for n in range(200))
        found = [crossed_effect(world, 6) for world in worlds]
        assert 0.904 <= np.mean([one.low <= effect <= one.high for one in found]) <= 0.996


def test_the_authors_find_a_positive_effect_in_a_third_of_worlds_without_any():
    worlds = [0.05 * planted([n, 9], (8, 8), 50) for n in range(100)]
    assert np.mean([authors_p(*effects_of_draws(world, 8))[1] < 0.05 for world in worlds]) > 0.3
