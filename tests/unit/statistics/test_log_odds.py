"""Log odds ratios of co-occurrences: the formula, and what Valentini et al. (2023) published."""

import math

import numpy as np
import pytest

from fairflow.statistics.counts import log_odds
from fairflow.statistics.intervals import normal_p, student_interval

# From the results of Valentini et al. 2023 (https://github.com/ftvalentini/BiasPMI): word ->
# bias_pmi, lor_se, dpmi_lower, dpmi_upper, lor_pvalue. All 9,498 rows follow in the same way. The
# p-value is of their log odds ratio, which is not among the columns and differs from bias_pmi by
# less than .00022.
PUBLISHED = {
    "abattoir, subs": (
        0.0381662645926397,
        0.2205708939799155,
        -0.3941447436457973,
        0.4704772728310767,
        0.8626246669931316,
    ),
    "abbey, subs": (
        0.3718916995087954,
        0.0535568919144739,
        0.2669221202325221,
        0.4768612787850687,
        3.814454780626672e-12,
    ),
    "abdicate, subs": (
        -0.9770767039984086,
        0.142884549958955,
        -1.2571252758651743,
        -0.6970281321316427,
        8.017732421666715e-12,
    ),
    "have, wiki2014": (
        0.1168846872667767,
        0.0034005541674823,
        0.1102197235710336,
        0.1235496509625197,
        1.1668781965054924e-259,
    ),
}
LARGEST_DIFFERENCE = 0.00022


@pytest.mark.parametrize("row", PUBLISHED.values(), ids=PUBLISHED)
def test_interval_and_p_follow_from_a_published_estimate_and_its_error(row):
    value, error, low, high, p_value = row
    assert student_interval(value, error) == pytest.approx((low, high), abs=1e-14)
    size = abs(value)
    smallest = normal_p(size + LARGEST_DIFFERENCE, error)
    assert smallest <= p_value <= normal_p(size - LARGEST_DIFFERENCE, error)


def test_a_table_gives_ratio_and_error():
    value, error, reason = log_odds(np.array([30, 10, 20, 40]))
    assert value == pytest.approx(math.log(30 * 40 / (10 * 20)))
    assert error == pytest.approx(math.sqrt(1 / 30 + 1 / 10 + 1 / 20 + 1 / 40))
    assert reason == ""


def test_a_zero_count_has_no_value_but_a_reason():
    value, error, reason = log_odds(np.array([30, 10, 0, 40]))
    assert np.isnan([value, error, *student_interval(value, error), normal_p(value, error)]).all()
    assert reason == "the second targets have no co-occurrence with the first attributes"
