"""RNSB: how unevenly a sentiment classifier finds the target words negative."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from fairflow import RNSB, Query
from fairflow.errors import DegenerateError
from fairflow.files.configuration_files import read_yaml
from fairflow.metrics.rnsb import _kept_splits, kl_from_uniform
from fairflow.queries.lookup import Lookup
from fairflow.statistics.classification import random_splits

SEEDS = st.integers(0, 10_000)
KEYS = ["query_name", "result", "rnsb", "rnsb_of_mean", "rnsb_sd", "rnsb_between_sets"]
KEYS += ["negative_sentiment_probabilities", "negative_sentiment_distribution"]
# With good = (a, 0) and bad = (-a, 0) the optimum is w = (u, 0), b = 0, where
# u = 2 a sigmoid(-a u). a = sqrt(2 ln 3) makes a u = ln 3, so p(good) = 1/4, p(bad) = 3/4.
A = math.sqrt(2 * math.log(3))
WORDS = Query([["w0", "w1"], ["w2", "w3"]], [["w4", "w5", "w6"], ["w7", "w8", "w9"]])


@pytest.fixture(scope="module")
def model(model_of):
    return model_of(good=[A, 0], bad=[-A, 0], neutral=[0, 1], zero=[0, 0])


def test_probability_is_that_of_the_second_attribute_set_and_rnsb_its_divergence(model):
    query = Query([["good"], ["bad", "neutral"]], [["good"], ["bad"]])
    result = RNSB().run_query(query, model, holdout=False)
    # The vectors are float32: 7 digits.
    assert result["negative_sentiment_probabilities"] == pytest.approx(
        {"good": 1 / 4, "bad": 3 / 4, "neutral": 1 / 2}, abs=1e-7
    )
    assert result["negative_sentiment_distribution"] == pytest.approx(
        {"good": 1 / 6, "bad": 1 / 2, "neutral": 1 / 3}, abs=1e-7
    )
    # sum of P ln(3 P)
    expected = math.log(1 / 2) / 6 + math.log(3 / 2) / 2
    assert result["rnsb"] == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("options", [{"holdout": False}, {"random_state": 3, "n_iterations": 5}])
def test_exchanged_label_counts_call_as_many_words_positive_as_the_second_set_has(
    random_model, options
):
    model = random_model(1)
    words = [f"w{i}" for i in range(2, 10)]
    targets = [["w0"], ["w1"]]
    shifted = RNSB().run_query(
        Query(targets, [words[:3], words[3:]]), model, exchanged_label_counts=True, **options
    )
    meant = RNSB().run_query(Query(targets, [words[:5], words[5:]]), model, **options)
    assert shifted["rnsb"] == meant["rnsb"]


def test_the_default_estimator_takes_the_penalty_and_the_scaling_of_the_intercept(random_model):
    model = random_model(1)
    ours = RNSB().run_query(
        WORDS, model, holdout=False, estimator_params={"C": 2.0, "intercept_scaling": 100}
    )
    theirs = RNSB().run_query(
        WORDS,
        model,
        holdout=False,
        estimator=LogisticRegression,
        estimator_params={"C": 2.0, "tol": 1e-10},
    )
    assert ours["rnsb"] == pytest.approx(theirs["rnsb"], abs=1e-4)
    assert ours["rnsb"] != pytest.approx(RNSB().run_query(WORDS, model, holdout=False)["rnsb"])


def test_the_default_estimator_refuses_parameters_that_it_has_not(random_model):
    with pytest.raises(ValueError, match="max_iter: the default estimator has C and intercept_sc"):
        RNSB().run_query(WORDS, random_model(1), estimator_params={"max_iter": 10})


@pytest.mark.parametrize(("n_iterations", "kept"), [(1, 0), (7, 7), ("exact", 9)])
def test_the_value_of_each_split_is_kept_and_its_mean_is_the_score(
    random_model, n_iterations, kept
):
    vectors = random_model(1).look_up(WORDS, Lookup())
    outcome = RNSB().evaluate(vectors, n_iterations=n_iterations, random_state=0)
    assert len(outcome.splits["rnsb"]) == kept
    if kept:
        assert np.mean(outcome.splits["rnsb"]) == pytest.approx(outcome.measures["rnsb"])
        for word in outcome.words:
            assert np.mean(word.splits) == pytest.approx(word.value)


def test_of_thousands_of_splits_a_hundred_evenly_chosen_are_kept():
    weights = np.full(784, 1 / 784)
    chosen = _kept_splits(weights)
    assert len(chosen) == 100
    assert set(np.diff(chosen)) <= {7, 8}


def test_a_word_in_two_target_sets_counts_twice_in_the_score_and_once_in_the_distribution(model):
    query = Query([["good", "bad"], ["good"]], [["good"], ["bad"]])
    result = RNSB().run_query(query, model, holdout=False)
    # Shares 1/5, 3/5, 1/5 of three entries; 1/4 and 3/4 of two words.
    expected = 0.4 * math.log(3 / 5) + 0.6 * math.log(9 / 5)
    assert result["rnsb"] == pytest.approx(expected, abs=1e-7)
    distribution = result["negative_sentiment_distribution"]
    assert distribution == pytest.approx({"good": 1 / 4, "bad": 3 / 4}, abs=1e-7)


def test_a_single_target_word_has_nothing_to_differ_from(model):
    result = RNSB().run_query(Query([["neutral"]], [["good"], ["bad"]]), model, holdout=False)
    assert result["rnsb"] == 0


def test_several_splits_give_the_mean_divergence_its_spread_and_that_of_the_mean(random_model):
    model = random_model(2)
    result = RNSB().run_query(WORDS, model, n_iterations=5, random_state=3)
    rows = np.array([model[f"w{i}"] for i in range(4, 10)], dtype=float)
    words = np.array([model[f"w{i}"] for i in range(4)], dtype=float)
    labels = np.array([1, 1, 1, -1, -1, -1])
    solver = LogisticRegression(solver="liblinear", tol=1e-12, max_iter=10_000)
    probabilities = np.array(
        [
            solver.fit(rows[split], labels[split]).predict_proba(words)[:, 0]
            for split in random_splits(3, 3, 5, np.random.RandomState(3))
        ]
    )
    scores = [divergence(p) for p in probabilities]
    assert result["rnsb"] == pytest.approx(np.mean(scores), abs=1e-8)
    assert result["rnsb_sd"] == pytest.approx(np.std(scores, ddof=1), abs=1e-8)
    of_mean = divergence(probabilities.mean(axis=0))
    assert result["rnsb_of_mean"] == pytest.approx(of_mean, abs=1e-8)


def divergence(probabilities):
    shares = [p / sum(probabilities) for p in probabilities]
    return sum(share * math.log(share * len(shares)) for share in shares)


def test_by_default_every_call_has_the_same_splits_as_many_as_in_a_study(random_model):
    model = random_model(2)
    studied = read_yaml(Path(__file__).parents[3] / "config/metrics.yaml")["rnsb_100"]["parameters"]
    expected = RNSB().run_query(WORDS, model, random_state=0, **studied)
    assert [RNSB().run_query(WORDS, model) for _ in range(3)] == [expected] * 3


def test_without_holdout_there_is_one_fit_whatever_seed_and_iterations(random_model):
    model = random_model(2)
    one = RNSB().run_query(WORDS, model, holdout=False)
    many = RNSB().run_query(WORDS, model, holdout=False, n_iterations=9, random_state=5)
    assert many["rnsb"] == one["rnsb"]
    assert math.isnan(many["rnsb_sd"])


class Sure:
    """A classifier that is 3/4 sure of the negative class, which it lists second."""

    classes_ = np.array([1, -1])

    def __init__(self, **parameters):
        self.parameters = parameters

    def fit(self, rows, labels):
        return self

    def predict_proba(self, rows):
        assert self.parameters == {"depth": 2}
        return np.tile([0.25, 0.75], (len(rows), 1))


def test_the_negative_class_of_another_estimator_is_found_by_its_label(random_model):
    parameters = {"estimator": Sure, "estimator_params": {"depth": 2}}
    result = RNSB().run_query(WORDS, random_model(1), n_iterations=1, **parameters)
    assert set(result["negative_sentiment_probabilities"].values()) == {0.75}
    assert result["rnsb"] == pytest.approx(0, abs=1e-15)


def test_too_few_attribute_words_to_split_are_refused_and_not_swallowed(random_model):
    query = Query([["w0"], ["w1"]], [["w4", "w5"], ["w7", "w8"]])
    with pytest.raises(DegenerateError, match="2 and 2 attribute words are too few"):
        RNSB().run_query(query, random_model(1))


@pytest.mark.parametrize("n_iterations", [0, -1, 2.0, "2"])
def test_a_number_of_splits_that_is_no_positive_int_is_refused(random_model, n_iterations):
    with pytest.raises(ValueError, match="n_iterations must be a positive int"):
        RNSB().run_query(WORDS, random_model(1), n_iterations=n_iterations)


@given(SEEDS)
def test_rnsb_lies_between_0_and_the_logarithm_of_the_number_of_words(random_model, seed):
    rnsb = RNSB().run_query(WORDS, random_model(seed, 5.0), random_state=seed)["rnsb"]
    assert -1e-12 <= rnsb <= math.log(4)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20).filter(any))
def test_divergence_from_uniform_is_0_for_equal_shares_and_at_most_ln_n(probabilities):
    n = len(probabilities)
    assert -1e-12 <= kl_from_uniform(np.array(probabilities)) <= math.log(n) + 1e-12
    assert kl_from_uniform(np.full(n, 0.3)) == pytest.approx(0, abs=1e-12)
    assert kl_from_uniform(np.eye(n)[0]) == pytest.approx(math.log(n))


def test_an_estimator_can_be_named_as_in_a_configuration(random_model):
    parameters = {"C": 0.5, "solver": "lbfgs"}
    by_name, by_class = (
        RNSB().run_query(
            WORDS,
            random_model(1),
            estimator=estimator,
            estimator_params=parameters,
            n_iterations=1,
            test_size=0.4,
            stratify=False,
        )
        for estimator in ("sklearn.linear_model.LogisticRegression", LogisticRegression)
    )
    assert by_name == by_class
    assert by_name["status"] == "ok"
