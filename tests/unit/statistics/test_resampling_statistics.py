"""The formula of a metric for weighted words is the metric on repeated or left-out words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from fairflow import Query
from fairflow.errors import DegenerateError
from fairflow.metrics.ect import ECT
from fairflow.metrics.mac import MAC
from fairflow.metrics.ripa import RIPA, pair_stratum
from fairflow.metrics.rnd import RND
from fairflow.metrics.rnsb import RNSB
from fairflow.metrics.weat import WEAT
from fairflow.queries.lookup import Lookup
from fairflow.statistics.bootstrap import left_out
from fairflow.statistics.permutation import every_labelling, every_sign
from fairflow.statistics.resampling_statistic import (
    mean_columns,
)
from fairflow.vectors.query_vectors import look_up_query

from .word_sets import words

# metric, parameters, sizes of the target sets, sizes of the attribute sets.
CASES = {
    "weat": (WEAT(), {}, (4, 3), (5, 4)),
    "weat of wefe": (WEAT(), {"convention": "wefe"}, (3, 3), (2, 6)),
    "rnd": (RND(), {}, (3, 4), (6,)),
    "rnd, sum": (RND(), {"average_distances": False}, (4, 4), (5,)),
    "rnd of cosines": (RND(), {"distance": "cos"}, (3, 3), (4,)),
    "rnd of cosines, sum": (RND(), {"distance": "cos", "average_distances": False}, (2, 3), (4,)),
    "ect": (ECT(), {}, (4, 3), (8,)),
    "mac": (MAC(), {}, (3, 4), (4, 3)),
    "mac of one set": (MAC(), {}, (5,), (4,)),
    "mac of many sets": (MAC(), {}, (2, 3, 2), (3, 2, 4)),
    "ripa": (RIPA(), {}, (4, 4), (5,)),
    "rnsb": (RNSB(), {"random_state": 1}, (3, 3), (6, 6)),
    "rnsb, 5 splits": (RNSB(), {"random_state": 2, "n_iterations": 5}, (3, 2, 2), (6, 6)),
    "rnsb, every split": (RNSB(), {"n_iterations": "exact"}, (3, 3), (3, 3)),
    "rnsb without holdout": (RNSB(), {"holdout": False}, (4,), (4, 5)),
    "rnsb of scikit-learn": (
        RNSB(),
        {
            "estimator": LogisticRegression,
            # lbfgs gives up on some samples just short of so small a tolerance.
            "estimator_params": {"solver": "newton-cholesky", "tol": 1e-10},
            "random_state": 3,
            "n_iterations": 2,
        },
        (3, 3),
        (6, 6),
    ),
}
EVERY_CASE = pytest.mark.parametrize("case", CASES)
RESAMPLED_ATTRIBUTES = [name for name in CASES if not name.startswith("rnsb")]
EVERY_CASE_WITH_ATTRIBUTES = pytest.mark.parametrize("case", RESAMPLED_ATTRIBUTES)
SEEDS = st.integers(0, 10_000)


def sets_of(case, seed, scale=1.0, dims=5):
    """Random target sets and attribute sets."""
    random = np.random.default_rng(seed)
    _, _, *sizes = CASES[case]
    return [
        [
            words(f"{role}{i}", scale * random.normal(0.3, 1, (size, dims)))
            for i, size in enumerate(of_role)
        ]
        for role, of_role in zip("ta", sizes, strict=True)
    ]


def computed(case, targets, attributes):
    metric, parameters, *_ = CASES[case]
    return metric.compute(targets, attributes, **parameters)


def repeated(set_, counts):
    """The set with each word as often as it counts, under different names."""
    rows = np.repeat(np.arange(len(set_.words)), counts)
    return words(set_.name, set_.vectors[rows])


def near(expected):
    # Classifiers are fitted to about 1e-8, more or less with the target words at hand.
    return pytest.approx(expected, rel=1e-9, abs=1e-8, nan_ok=True)


def assert_measures(statistic_says, outcome):
    assert set(statistic_says) <= set(outcome.measures)
    for name, (value,) in statistic_says.items():
        assert value == near(outcome.measures[name])


def draw_counts(seed, sizes):
    """Weights 0 to 2 of the words of each set, at least one of them positive."""
    random = np.random.default_rng(seed)
    counts = [random.integers(0, 3, size) for size in sizes]
    for own in counts:
        own[random.integers(len(own))] = random.integers(1, 3)
    return counts


@EVERY_CASE
@given(SEEDS, st.sampled_from([0.01, 1.0, 30.0]))
def test_with_weights_of_one_a_statistic_gives_what_the_metric_computes(case, seed, scale):
    targets, attributes = sets_of(case, seed, scale)
    outcome = computed(case, targets, attributes)
    statistic = outcome.resampling()
    assert_measures(statistic.measures(statistic.observed), outcome)
    ones = [np.ones((1, len(stratum))) for stratum in statistic.attributes]
    if ones:
        assert_measures(statistic.measures(statistic.observed, ones), outcome)


@EVERY_CASE
@given(SEEDS)
def test_a_target_word_of_weight_two_counts_as_two_words(case, seed):
    targets, attributes = sets_of(case, seed)
    statistic = computed(case, targets, attributes).resampling()
    counts = draw_counts(seed, statistic.sizes)
    weights = statistic.spread([own[np.newaxis].astype(float) for own in counts])
    # The units of RIPA are pairs: both words of a pair are repeated.
    own_counts = counts * len(targets) if case == "ripa" else counts
    apart = [repeated(t, own) for t, own in zip(targets, own_counts, strict=True)]
    outcome = computed(case, apart, attributes)
    assert_measures(statistic.measures(weights), outcome)


def without(set_, index):
    rows = [i for i in range(len(set_.words)) if i != index]
    return words(set_.name, set_.vectors[rows], [set_.words[i] for i in rows])


@EVERY_CASE
def test_leaving_a_word_out_gives_what_the_metric_computes_without_it(case):
    targets, attributes = sets_of(case, 6)
    statistic = computed(case, targets, attributes).resampling()
    measured = left_out(statistic)
    expected = []
    if case == "ripa":
        pairs = range(len(targets[0].words))
        expected.append(
            [computed(case, [without(t, i) for t in targets], attributes) for i in pairs]
        )
    else:
        for s, target in enumerate(targets):
            others = [
                [*targets[:s], without(target, i), *targets[s + 1 :]]
                for i in range(len(target.words))
            ]
            expected.append([computed(case, changed, attributes) for changed in others])
    if statistic.attributes:
        for s, attribute in enumerate(attributes):
            others = [
                [*attributes[:s], without(attribute, i), *attributes[s + 1 :]]
                for i in range(len(attribute.words))
            ]
            expected.append([computed(case, targets, changed) for changed in others])
    for name, found in measured.items():
        assert len(found) == len(expected)
        for values, outcomes in zip(found, expected, strict=True):
            wanted = [outcome.measures[name] for outcome in outcomes]
            assert values == near(wanted)


@EVERY_CASE
def test_a_statistic_said_to_have_mean_zero_has(case):
    statistic = computed(case, *sets_of(case, 4)).resampling()
    if not statistic.tested:
        return
    if statistic.exchanged == "signs":
        weights = [1.0 - 2 * every_sign(statistic.n_units)]
    else:
        labels = every_labelling(statistic.sizes)
        weights = [(labels == i).astype(float) for i in range(len(statistic.sizes))]
    mean = statistic.test_statistic(weights).mean()
    if statistic.zero_mean or statistic.exchanged == "signs":
        assert mean == pytest.approx(0, abs=1e-12 * statistic.magnitude)


def test_random_words_take_the_place_of_target_words_in_every_metric():
    for case in CASES:
        targets, attributes = sets_of(case, 8)
        others, _ = sets_of(case, 9)
        # The classifiers of RNSB are those of the query, fitted once.
        statistic = computed(case, targets, attributes).resampling(others)
        assert_measures(statistic.measures(statistic.observed), computed(case, others, attributes))


ROWS = {"he": [3.0, 4], "him": [1.0, 0], "she": [5.0, 12], "her": [0.0, 1], "HE": [1.0, 1]}


def looked_up(sets, lookup):
    query = Query(sets, [["him"]])

    def vectors(forms):
        return np.array([ROWS[form] for form in forms], dtype=np.float32).reshape(-1, 2)

    return look_up_query(query, ROWS.__contains__, vectors, lookup).word_vectors()[0]


def test_the_units_of_ripa_are_the_pairs_that_are_whole():
    lookup = Lookup(lost_vocabulary_threshold=1)
    first, second = looked_up([["he", "lost", "him"], ["she", "her", "her"]], lookup)
    stratum = pair_stratum(first, second)
    assert stratum.words == ("he/she", "lost/her", "him/her")
    assert stratum.unit_of.tolist() == [0, -1, 1]
    assert stratum.names == ("he/she", "him/her")
    first, second = looked_up([["he", "him"], ["lost", "absent"]], lookup)
    with pytest.raises(DegenerateError, match="no pair of target words was found whole"):
        pair_stratum(first, second)


def test_means_under_weights_in_single_precision_are_as_exact_beside_their_differences():
    random = np.random.default_rng(1)
    values = 1_000 + random.normal(size=(3, 700))
    weights = random.integers(0, 4, size=(5, 700))
    double = mean_columns(values, weights.astype(float))
    np.testing.assert_allclose(mean_columns(values, weights.astype(np.float32)), double, 0, 1e-6)
    alike = np.full((1, 700), 0.1)
    assert abs(mean_columns(alike, weights.astype(np.float32)) - 0.1).max() < 1e-15


@EVERY_CASE_WITH_ATTRIBUTES
@given(SEEDS)
def test_an_attribute_word_of_weight_two_counts_as_two_words(case, seed):
    targets, attributes = sets_of(case, seed)
    statistic = computed(case, targets, attributes).resampling()
    counts = draw_counts(seed, [len(a.words) for a in attributes])
    weights = [own[np.newaxis].astype(float) for own in counts]
    apart = [repeated(a, own) for a, own in zip(attributes, counts, strict=True)]
    found = statistic.measures(statistic.observed, weights)
    assert_measures(found, computed(case, targets, apart))


@EVERY_CASE
@given(SEEDS)
def test_contributions_are_what_an_additive_statistic_is_the_difference_of(case, seed):
    targets, attributes = sets_of(case, seed)
    statistic = computed(case, targets, attributes).resampling()
    if statistic.contributions is None or not statistic.tested:
        return
    n = statistic.sizes[0]
    expected = statistic.contributions[:n].mean() - statistic.contributions[n:].mean()
    assert statistic.test_statistic(statistic.observed)[0] == pytest.approx(expected, abs=1e-12)


def test_words_of_several_target_sets_are_not_free():
    first, second = looked_up([["he", "him"], ["she", "him"]], Lookup())
    statistic = MAC().compute([first, second], [words("a", [[1.0, 2.0]])]).resampling()
    assert statistic.units == ("he", "him", "she", "him")
    assert statistic.free.tolist() == [True, False, True, False]
    assert statistic.observed[1].tolist() == [[0, 0, 1, 1]]
