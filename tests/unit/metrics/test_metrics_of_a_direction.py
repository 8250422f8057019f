"""Direct and indirect bias, projection and explained variance, from their definitions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow import Query
from fairflow.metrics.direct_bias import DirectBias
from fairflow.metrics.explained_variance import ExplainedVariance
from fairflow.metrics.indirect_bias import IndirectBias
from fairflow.metrics.projection import Projection
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import QueryInputs

SEEDS = st.integers(0, 10_000)
PAIRS = (("w0", "w1"), ("w2", "w3"), ("w4", "w5"))


def asked(*targets, pairs=PAIRS):
    return Query(list(targets), [], declared=QueryInputs(pairs=pairs))


def unit_of(model, word):
    vector = model[word].astype(float)
    return vector / np.linalg.norm(vector)


def naive_direction(model, pairs=PAIRS):
    """The eigenvector of the covariance of the centred pairs, and the shares of all of them."""
    rows = []
    for pair in pairs:
        both = np.array([unit_of(model, word) for word in pair])
        rows += [*(both - both.mean(axis=0))]
    values, vectors = np.linalg.eigh(np.cov(np.array(rows).T, bias=True))
    direction = vectors[:, -1]
    shares = values[::-1] / values.sum()
    return direction * np.sign(direction @ rows[0]), shares


@pytest.fixture(scope="module")
def model(model_of):
    return model_of(she=[1, 2], he=[-1, 2], along=[3, 0], across=[0, 2], between=[3, 4])


def test_one_pair_gives_its_difference_as_the_direction(model):
    # she - he lies along (1, 0): cosines 1, 0 and 3/5.
    query = asked(["along", "across", "between"], pairs=(("she", "he"),))
    assert DirectBias().run_query(query, model)["direct_bias"] == pytest.approx(1.6 / 3)
    outcome = Projection().evaluate(model.look_up(query, Lookup()))
    found = {(row.word, row.measure): row.value for row in outcome.words}
    assert found["between", "projection"] == pytest.approx(0.6)
    assert [found[word, "place"] for word in ("along", "between", "across")] == [1, 2, 3]
    assert [found[word, "place_from_end"] for word in ("along", "across")] == [3, 1]


def test_a_pair_the_other_way_round_turns_projections_and_leaves_direct_bias(model):
    turned = asked(["along", "between"], pairs=(("he", "she"),))
    assert Projection().run_query(turned, model)["projection"] == pytest.approx(-0.8)
    assert DirectBias().run_query(turned, model)["direct_bias"] == pytest.approx(0.8)


def test_strictness_is_an_exponent(model):
    query = asked(["across", "between"], pairs=(("she", "he"),))
    assert DirectBias().run_query(query, model, c=2)["direct_bias"] == pytest.approx(0.18)
    with pytest.raises(ValueError, match="c must be at least 0"):
        DirectBias().run_query(query, model, c=-1)


@given(SEEDS)
def test_direct_bias_and_projection_are_means_of_cosines_with_the_component(random_model, seed):
    model = random_model(seed)
    direction, _ = naive_direction(model)
    cosines = [unit_of(model, word) @ direction for word in ("w6", "w7", "w8")]
    query = asked(["w6", "w7", "w8"])
    found = DirectBias().run_query(query, model)["direct_bias"]
    assert found == pytest.approx(np.mean(np.abs(cosines)), abs=1e-6)
    found = Projection().run_query(query, model)["projection"]
    assert found == pytest.approx(np.mean(cosines), abs=1e-6)


@given(SEEDS)
def test_the_difference_of_two_sets_is_that_of_their_means_and_is_tested(random_model, seed):
    model = random_model(seed)
    result = Projection().run_query(
        asked(["w6", "w7"], ["w8", "w9"]), model, calculate_p_value=True
    )
    first, second = (
        Projection().run_query(asked(words), model)["projection"]
        for words in (["w6", "w7"], ["w8", "w9"])
    )
    assert result["projection_difference"] == pytest.approx(first - second)
    assert 1 / 6 - 1e-9 <= result["p_value"] <= 1


def test_one_set_has_no_difference_and_no_test(random_model):
    result = DirectBias().run_query(asked(["w6", "w7"]), random_model(1), calculate_p_value=True)
    assert math.isnan(result["direct_bias_difference"])
    assert result["permutation_test"] == {"reason": "the test needs two target sets"}


@given(SEEDS)
def test_indirect_bias_is_the_share_of_a_similarity_that_the_direction_has(random_model, seed):
    model = random_model(seed)
    b, _ = naive_direction(model)
    outcome = IndirectBias().evaluate(model.look_up(asked(["w6", "w7"], ["w8"]), Lookup()))
    expected = {}
    for word in ("w6", "w7"):
        w, v = unit_of(model, word), unit_of(model, "w8")
        rest_w, rest_v = w - (w @ b) * b, v - (v @ b) * b
        rest = rest_w @ rest_v / np.linalg.norm(rest_w) / np.linalg.norm(rest_v)
        expected[f"{word}|w8"] = (w @ v - rest) / (w @ v)
    found = {row.word: row.value for row in outcome.words}
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-5)
    assert outcome.result == pytest.approx(np.mean(list(found.values())))


def test_indirect_bias_of_weighted_words_counts_a_word_twice(random_model):
    model = random_model(3)
    statistic = (
        IndirectBias()
        .evaluate(model.look_up(asked(["w6", "w7"], ["w8", "w9"]), Lookup()))
        .resampling()
    )
    twice = statistic.measures(statistic.spread([np.array([[2.0, 1.0]]), np.ones((1, 2))]))
    values = statistic.values
    assert twice["indirect_bias"][0] == pytest.approx((2 * values[0] + values[1]).sum() / 6)


@given(SEEDS)
def test_shares_of_components_are_those_of_the_covariance(random_model, seed):
    model = random_model(seed)
    query = asked([word for pair in PAIRS for word in pair])
    outcome = ExplainedVariance().evaluate(model.look_up(query, Lookup()))
    _, shares = naive_direction(model)
    found = {row.word: row.value for row in outcome.words}
    assert found == pytest.approx({str(n + 1): shares[n] for n in range(len(found))}, abs=1e-6)
    assert outcome.result == found["1"]
    statistic = outcome.resampling()
    assert statistic.measures(statistic.observed)["explained_variance"][0] == pytest.approx(
        found["1"]
    )


def test_pairs_along_one_line_explain_all_and_shuffled_ones_less(model_of):
    model = model_of(
        a=[1, 1, 0], b=[-1, 1, 0], c=[1, 0, 2], d=[-1, 0, 2], e=[1, -3, 0], f=[-1, -3, 0]
    )
    query = asked(["a"], pairs=(("a", "b"), ("c", "d"), ("e", "f")))
    result = ExplainedVariance().run_query(query, model)
    assert result["explained_variance"] == pytest.approx(1)
    assert result["shuffled_mean"] < 1
    assert 1 / 201 <= result["p_shuffled"] < 0.5
    tested = ExplainedVariance().run_query(query, model, calculate_p_value=True)
    assert tested["p_value"] == tested["p_shuffled"]
    assert tested["permutation_test"]["statistic"] == "shuffled pairs"


def test_a_single_pair_has_nothing_to_shuffle(model):
    result = ExplainedVariance().run_query(asked(["she"], pairs=(("she", "he"),)), model)
    assert result["explained_variance"] == 1
    assert math.isnan(result["p_shuffled"])


@pytest.mark.parametrize("metric", [DirectBias, Projection, ExplainedVariance])
def test_a_query_without_pairs_is_refused_in_a_sentence(metric, model):
    with pytest.raises(ValueError, match=r"needs pairs .* which the query does not declare"):
        metric().run_query(Query([["along"]], []), model)


def test_pairs_that_lost_a_word_are_left_out(model):
    query = asked(["between"], pairs=(("she", "he"), ("lost", "across")))
    whole = asked(["between"], pairs=(("she", "he"),))
    found = DirectBias().run_query(query, model, lost_vocabulary_threshold=0.5)
    assert found["direct_bias"] == DirectBias().run_query(whole, model)["direct_bias"]
    assert found["n_pairs"] == 1


@pytest.mark.parametrize("metric", [DirectBias, Projection, IndirectBias])
def test_a_set_of_one_word_has_one_row_of_weights_for_all_resamplings(metric, random_model):
    query = asked(["w6"], ["w7", "w8", "w9"])
    result = metric().run_query(query, random_model(4), calculate_intervals=True)
    low, high = result["intervals"][metric.measure_names[0]]["targets"]
    assert low <= result["result"] <= high or math.isnan(low)
