"""SC-WEAT, WEFAT and SAME, from their definitions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import linregress

from fairflow import Query
from fairflow.errors import DegenerateError
from fairflow.metrics.same import SAME
from fairflow.metrics.sc_weat import SCWEAT
from fairflow.metrics.wefat import WEFAT
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import QueryInputs

SEEDS = st.integers(0, 10_000)
WORDS, FIRST, SECOND = ["w0", "w1", "w2", "w3"], ["w4", "w5", "w6"], ["w7", "w8", "w9"]
SHARES = {"w0": 0.1, "w1": 0.35, "w2": 0.9, "w3": 0.6}
QUERY = Query([WORDS], [FIRST, SECOND], declared=QueryInputs(values=SHARES))


def unit_of(model, word):
    vector = model[word].astype(float)
    return vector / np.linalg.norm(vector)


def cosines(model, word, others):
    return [float(unit_of(model, word) @ unit_of(model, other)) for other in others]


def effect_size(model, word):
    a, b = cosines(model, word, FIRST), cosines(model, word, SECOND)
    return (np.mean(a) - np.mean(b)) / np.std(a + b, ddof=1)


@given(SEEDS)
def test_sc_weat_is_the_mean_effect_size_of_single_words(random_model, seed):
    model = random_model(seed)
    result = SCWEAT().run_query(QUERY, model)
    expected = np.mean([effect_size(model, word) for word in WORDS])
    assert result["sc_weat"] == pytest.approx(expected, rel=1e-5, abs=1e-6)


@given(SEEDS)
def test_the_test_of_sc_weat_exchanges_attribute_words(random_model, seed):
    from itertools import combinations

    model = random_model(seed)
    both = FIRST + SECOND
    spread = {word: np.std(cosines(model, word, both), ddof=1) for word in WORDS}
    u = np.mean([np.array(cosines(model, word, both)) / spread[word] for word in WORDS], axis=0)
    every = []
    for chosen in combinations(range(6), 3):
        rest = [place for place in range(6) if place not in chosen]
        every.append(u[list(chosen)].mean() - u[rest].mean())
    as_large = np.mean(np.abs(every) >= abs(every[0]) - 1e-9)
    result = SCWEAT().run_query(QUERY, model, calculate_p_value=True)
    assert result["p_value"] == pytest.approx(as_large)


@given(SEEDS)
def test_attribute_sets_the_other_way_round_turn_sc_weat(random_model, seed):
    model = random_model(seed)
    turned = Query([WORDS], [SECOND, FIRST])
    found = SCWEAT().run_query(turned, model)["sc_weat"]
    assert found == pytest.approx(-SCWEAT().run_query(QUERY, model)["sc_weat"], abs=1e-9)


@pytest.mark.parametrize("scale", ["plain", "difference", "log_odds"])
@given(seed=SEEDS)
def test_wefat_is_the_line_of_association_on_the_property(random_model, scale, seed):
    model = random_model(seed)
    changed = {
        "plain": lambda p: p,
        "difference": lambda p: 2 * p - 1,
        "log_odds": lambda p: math.log(p / (1 - p)),
    }[scale]
    x = [changed(SHARES[word]) for word in WORDS]
    line = linregress(x, [effect_size(model, word) for word in WORDS])
    result = WEFAT().run_query(QUERY, model, scale=scale)
    found = [result[name] for name in ("slope", "intercept", "correlation", "p_slope")]
    expected = [line.slope, line.intercept, line.rvalue, line.pvalue]
    assert found == pytest.approx(expected, rel=1e-3, abs=1e-4)
    assert result["r2"] == pytest.approx(line.rvalue**2, rel=1e-3, abs=1e-4)
    tested = WEFAT().run_query(QUERY, model, scale=scale, calculate_p_value=True)
    assert tested["p_value"] == result["p_permuted"]


@given(SEEDS)
def test_distances_are_positive_towards_the_first_set(random_model, seed):
    model = random_model(seed)
    outcome = WEFAT().evaluate(model.look_up(QUERY, Lookup()), True, association="distance")
    first, second = (
        np.mean([unit_of(model, word) for word in words], axis=0) for words in (FIRST, SECOND)
    )
    expected = {
        word: np.linalg.norm(unit_of(model, word) - second)
        - np.linalg.norm(unit_of(model, word) - first)
        for word in WORDS
    }
    found = {row.word: row.value for row in outcome.words if row.measure == "association"}
    assert found == pytest.approx(expected, abs=1e-5)


def test_words_without_the_property_are_left_out_of_the_line(random_model):
    known = {name: SHARES[name] for name in ("w0", "w1", "w3")}
    some = Query([WORDS], [FIRST, SECOND], declared=QueryInputs(values=known))
    alone = Query([["w0", "w1", "w3"]], [FIRST, SECOND], declared=QueryInputs(values=known))
    model = random_model(5)
    result = WEFAT().run_query(some, model)
    assert result["n_with_property"] == 3
    assert result["r2"] == pytest.approx(WEFAT().run_query(alone, model)["r2"])


@pytest.mark.parametrize(
    ("values", "parameters", "message"),
    [
        ({"w0": 0.5}, {}, "only 1 words have a value"),
        (dict.fromkeys(WORDS, 0.5), {}, "same for all words"),
        (SHARES | {"w2": 12}, {"scale": "difference"}, "12 of w2 is not between 0 and 1"),
        (SHARES | {"w2": 1}, {"scale": "log_odds"}, "1 of w2 is not between 0 and 1"),
    ],
)
def test_a_property_without_a_line_is_refused(random_model, values, parameters, message):
    query = Query([WORDS], [FIRST, SECOND], declared=QueryInputs(values=values))
    with pytest.raises(DegenerateError, match=message):
        WEFAT().run_query(query, random_model(2), **parameters)


def test_a_resample_counts_words_by_weight(random_model):
    statistic = WEFAT().evaluate(random_model(7).look_up(QUERY, Lookup())).resampling()
    weights = np.array([[2.0, 1.0, 0.0, 3.0]])
    rows = np.repeat(np.arange(4), weights[0].astype(int))
    line = linregress(statistic.x[rows], statistic.y[rows])
    found = statistic.measures([weights])
    assert found["slope"][0] == pytest.approx(line.slope)
    assert found["intercept"][0] == pytest.approx(line.intercept)
    assert found["r2"][0] == pytest.approx(line.rvalue**2)


@given(SEEDS)
def test_same_of_two_sets_is_the_mean_size_of_a_cosine(random_model, seed):
    model = random_model(seed)
    first, second = (
        np.mean([unit_of(model, word) for word in words], axis=0) for words in (FIRST, SECOND)
    )
    direction = (first - second) / np.linalg.norm(first - second)
    signed = [unit_of(model, word) @ direction for word in WORDS]
    result = SAME().run_query(QUERY, model)
    assert result["same"] == pytest.approx(np.mean(np.abs(signed)), abs=1e-6)
    assert result["same_skew"] == pytest.approx(np.mean(signed), abs=1e-6)
    assert result["same_stereotype"] == pytest.approx(np.std(signed), abs=1e-6)


def test_same_of_three_sets_is_the_length_within_their_plane(model_of):
    # The three means differ within the first two dimensions alone.
    model = model_of(a=[1, 0, 0], b=[0, 1, 0], c=[-1, 0, 0], inside=[3, 4, 0], half=[0, 1, 1])
    result = SAME().run_query(Query([["inside", "half"]], [["a"], ["b"], ["c"]]), model)
    assert result["same"] == pytest.approx((1 + math.sqrt(0.5)) / 2)
    assert math.isnan(result["same_skew"])


def test_same_refuses_what_it_cannot_tell_apart(model_of):
    model = model_of(a=[1, 0], t=[1, 1])
    with pytest.raises(ValueError, match="at least 2 attribute sets"):
        SAME().run_query(Query([["t"]], [["a"]]), model)
    with pytest.raises(DegenerateError, match="do not differ"):
        SAME().run_query(Query([["t"]], [["a"], ["a"]], ["T"], ["A", "B"]), model)
