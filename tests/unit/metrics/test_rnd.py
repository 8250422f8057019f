"""RND: to which of two target sets attribute words are nearer."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow import RND, Query
from fairflow.errors import DegenerateError
from fairflow.metrics.rnd import SINGLE_FROM
from fairflow.vectors.query_vectors import WordVectors

SEEDS = st.integers(0, 10_000)
SETS = ["w0", "w1", "w2"], ["w3", "w4"], ["w5", "w6", "w7"]
# The target means are (3, 0) and (0, 4).
QUERY = Query([["e2", "e4"], ["n4"]], [["corner", "edge"]])


@pytest.fixture(scope="module")
def model(model_of):
    return model_of(
        e2=[2, 0], e4=[4, 0], w2=[-2, 0], n4=[0, 4], corner=[3, 4], edge=[3, 0], zero=[0, 0]
    )


def test_norm_is_the_mean_difference_of_euclidean_distances(model):
    # corner: 4 - 3 = 1; edge: 0 - 5 = -5.
    result = RND().run_query(QUERY, model)
    assert result["rnd"] == pytest.approx(-2, abs=1e-12)
    assert result["distance_by_word"] == pytest.approx({"corner": 1, "edge": -5}, abs=1e-12)


def test_cos_is_the_mean_difference_of_similarities_so_its_sign_is_the_opposite(model):
    # corner: 3/5 - 4/5 = -0.2; edge: 1 - 0.
    result = RND().run_query(QUERY, model, distance="cos")
    assert result["rnd"] == pytest.approx(0.4, abs=1e-12)
    assert result["distance_by_word"] == pytest.approx({"corner": -0.2, "edge": 1}, abs=1e-12)


def test_normalized_vectors_are_averaged_after_their_division(model):
    # Means (1, 0) and (0, 1); corner becomes (0.6, 0.8), edge (1, 0).
    corner = math.hypot(0.4, 0.8) - math.hypot(0.6, 0.2)
    result = RND().run_query(QUERY, model, normalize=True)
    assert result["rnd"] == pytest.approx((corner - math.sqrt(2)) / 2, abs=1e-12)


@pytest.mark.parametrize(("distance", "total"), [("norm", -4), ("cos", 0.8)])
def test_distances_that_are_not_averaged_are_summed(model, distance, total):
    result = RND().run_query(QUERY, model, distance=distance, average_distances=False)
    averaged = RND().run_query(QUERY, model, distance=distance)
    assert result["rnd"] == result["result"] == pytest.approx(total, abs=1e-12)
    assert result["distance_by_word"] == averaged["distance_by_word"]


def test_words_are_listed_from_the_nearest_to_the_first_target_set(model):
    assert list(RND().run_query(QUERY, model)["distance_by_word"]) == ["edge", "corner"]


def test_target_vectors_that_cancel_have_no_cosine_but_have_a_distance(model):
    query = Query([["e2", "w2"], ["n4"]], [["edge"]], ["Opposite", "North"])
    assert RND().run_query(query, model)["rnd"] == pytest.approx(3 - 5, abs=1e-12)
    with pytest.raises(DegenerateError, match="the mean vector of Opposite is zero"):
        RND().run_query(query, model, distance="cos")


def test_another_distance_is_refused(model):
    with pytest.raises(ValueError, match="'norm' or 'cos', got 'cosine'"):
        RND().run_query(QUERY, model, distance="cosine")


@given(SEEDS, st.sampled_from(["norm", "cos"]))
def test_swapping_targets_changes_the_sign(random_model, seed, distance):
    model, (x, y, a) = random_model(seed), SETS
    straight = RND().run_query(Query([x, y], [a]), model, distance=distance)["rnd"]
    swapped = RND().run_query(Query([y, x], [a]), model, distance=distance)["rnd"]
    assert swapped == pytest.approx(-straight, abs=1e-12)


@given(SEEDS, st.sampled_from([0.125, 2.0, 16.0]))
def test_norm_grows_with_the_length_of_the_vectors_unless_they_are_normalised(
    random_model, seed, scale
):
    model, longer = random_model(seed), random_model(seed, scale)
    query = Query(list(SETS[:2]), [SETS[2]])
    plain = RND().run_query(query, model)["rnd"]
    assert RND().run_query(query, longer)["rnd"] == pytest.approx(scale * plain, abs=1e-9)
    for parameters in ({"normalize": True}, {"distance": "cos"}):
        expected = RND().run_query(query, model, **parameters)["rnd"]
        found = RND().run_query(query, longer, **parameters)["rnd"]
        assert found == pytest.approx(expected, abs=1e-12)


def test_the_test_of_the_sum_of_distances_is_that_of_their_mean(model):
    assert RND.without_effect_on_test == ("average_distances",)
    query = Query([["e2", "e4"], ["n4", "w2"]], [["corner", "edge"]])
    found = [
        RND().run_query(query, model, average_distances=mean, calculate_p_value=True)["p_value"]
        for mean in (True, False)
    ]
    assert found[0] == found[1] < 1


def test_many_resamples_in_single_precision_are_within_rounding_of_double():
    random = np.random.default_rng(1)
    sets = [
        WordVectors(name, names, names, random.normal(size=(n, 20)), names)
        for name, n in (("t0", 6), ("t1", 5), ("a", SINGLE_FROM + 1))
        for names in [tuple(f"{name}{i}" for i in range(n))]
    ]
    statistic = RND().compute(sets[:2], sets[2:]).resampling()
    targets = statistic.spread([random.integers(1, 4, (50, n)).astype(float) for n in (6, 5)])
    attributes = [random.integers(0, 4, (50, SINGLE_FROM + 1)).astype(np.float32)]
    for found, weights in zip(
        statistic.measures_alone_and_both(targets, attributes), (None, attributes), strict=True
    ):
        np.testing.assert_allclose(
            found["rnd"], statistic.measures(targets, weights)["rnd"], 0, 1e-6
        )
