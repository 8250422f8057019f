"""ECT: do two target sets rank the attribute words alike?"""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fairflow import ECT, Query
from fairflow.errors import DegenerateError
from fairflow.queries.lookup import Lookup
from fairflow.statistics.permutation import permutation_test
from fairflow.vectors.query_vectors import WordVectors

SEEDS = st.integers(0, 10_000)
SETS = ["w0", "w1", "w2"], ["w3", "w4"], ["w5", "w6", "w7", "w8", "w9"]
QUERY = Query([["east"], ["north"]], [["flat", "steep", "west", "south"]])


@pytest.fixture(scope="module")
def model(model_of):
    return model_of(
        east=[1, 0],
        north=[0, 1],
        high=[0, 10],
        west=[-1, 0],
        flat=[4, 3],
        flatter=[8, 6],
        low=[4, -3],
        steep=[3, 4],
        steeper=[5, 12],
        south=[5, -12],
        zero=[0, 0],
    )


def test_ect_is_the_rank_correlation_of_similarities_to_the_two_means(model):
    # To east 0.8, 0.6, -1, 5/13: ranks 4 3 1 2; to north 0.6, 0.8, 0, -12/13: ranks 3 4 2 1.
    # 1 - 6 (1 + 1 + 1 + 1) / (4 (16 - 1))
    assert ECT().run_query(QUERY, model)["ect"] == pytest.approx(0.6, abs=1e-12)


def test_equal_similarities_share_their_rank(model):
    # flat and flatter point the same way: ranks 2.5 2.5 1 to both, a perfect agreement.
    query = Query([["east"], ["north"]], [["flat", "flatter", "south"]])
    # To east: 0.8, 0.8, 5/13; to north: 0.6, 0.6, -12/13.
    assert ECT().run_query(query, model)["ect"] == pytest.approx(1, abs=1e-12)


def test_long_vectors_weigh_more_in_a_mean_unless_normalised(model):
    # The mean of east and high points north: it ranks north first and flat last, as east does
    # not. Normalised, it points to (1, 1) and ranks as east does.
    query = Query([["east", "high"], ["east"]], [["flat", "steeper", "north"]])
    assert ECT().run_query(query, model)["ect"] == pytest.approx(-1, abs=1e-12)
    assert ECT().run_query(query, model, normalize=True)["ect"] == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("words", [["flat"], ["flat", "low"]])
def test_a_constant_ranking_has_no_correlation_and_the_reason_is_given(model, words):
    query = Query([["east"], ["north"]], [words])  # flat and low are equally near to east
    outcome = ECT().evaluate(model.look_up(query, Lookup()))
    assert math.isnan(outcome.result)
    assert math.isnan(outcome.measures["ect"])
    assert "fewer than two distinct values" in outcome.reasons["ect"]


def test_target_vectors_that_cancel_are_refused(model):
    query = Query([["east", "west"], ["north"]], [["flat", "low"]], ["Both", "Up"])
    with pytest.raises(DegenerateError, match="the mean vector of Both is zero"):
        ECT().run_query(query, model)


@given(SEEDS)
def test_ect_lies_between_minus_1_and_1_and_does_not_depend_on_which_set_is_first(
    random_model, seed
):
    model, (x, y, a) = random_model(seed), SETS
    ect = ECT().run_query(Query([x, y], [a]), model)["ect"]
    assert -1 - 1e-12 <= ect <= 1 + 1e-12
    assert ECT().run_query(Query([y, x], [a]), model)["ect"] == pytest.approx(ect, abs=1e-12)


def exact_ect(first, second, attributes):
    """ECT of whole numbers: cosines with the sum of a set compare as their signed squares do."""
    ranks = []
    for rows in (first, second):
        total = [sum(column) for column in zip(*rows, strict=True)]
        products = [sum(x * y for x, y in zip(total, a, strict=True)) for a in attributes]
        squares = [sum(x * x for x in a) for a in attributes]
        cosines = [Fraction(p * abs(p), s) for p, s in zip(products, squares, strict=True)]
        ranks.append([sum(o < own for o in cosines) + cosines.count(own) / 2 for own in cosines])
    return stats.pearsonr(*ranks).statistic


@pytest.mark.parametrize("seed", range(12))
def test_mathematically_equal_cosines_share_their_rank_in_value_and_test(seed):
    random = np.random.default_rng(seed)
    rows = random.integers(1, 4, (18, 3)).tolist()
    targets, attributes = rows[:8], rows[8:]
    x, y, a = (
        WordVectors(name, *[tuple(f"{name}{i}" for i in range(len(own)))] * 2, np.array(own, float))
        for name, own in (("x", targets[:4]), ("y", targets[4:]), ("a", attributes))
    )
    outcome = ECT().compute([x, y], [a])
    values = []
    for chosen in combinations(range(8), 4):
        others = [i for i in range(8) if i not in chosen]
        sides = ([targets[i] for i in side] for side in (chosen, others))
        values.append(exact_ect(*sides, attributes))
    assert outcome.measures["ect"] == pytest.approx(values[0], abs=1e-12)
    p = permutation_test(outcome.resampling(), random, alternative="less").p_value
    assert p == pytest.approx(np.mean(np.array(values) <= values[0] + 1e-9))
