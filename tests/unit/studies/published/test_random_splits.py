"""Where an unseeded mean over random splits lies among seeded ones."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fairflow.studies.published.comparison import drawn_from, quantile_of

SPLITS = [0.1, 0.2, 0.3, 0.4]


def test_a_number_beyond_every_split_has_quantile_0_or_1():
    assert quantile_of(-1, [SPLITS], 30) == 0
    assert quantile_of(1, [SPLITS], 30) == 1


def test_quantiles_of_means_drawn_likewise_are_uniform():
    random = np.random.default_rng(1)
    quantiles = []
    for _ in range(200):
        ours, theirs = random.exponential(size=(2, 30))
        quantiles.append(quantile_of(theirs.mean(), [ours], 30))
    # 200 uniform numbers: the standard error of a decile's count is 4.2.
    counts = np.histogram(quantiles, bins=5, range=(0, 1))[0]
    assert counts.sum() == 200
    assert (np.abs(counts - 40) < 20).all()


@given(st.floats(0, 1))
@example(0.9996)
def test_the_central_999_per_mille_are_within_the_draws(quantile):
    assert drawn_from(quantile) == (0.0005 <= quantile <= 0.9995)


def test_the_middle_of_symmetric_splits_is_the_median():
    assert quantile_of(0.25, [SPLITS], 30) == pytest.approx(0.5, abs=0.05)
