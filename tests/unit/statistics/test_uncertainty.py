"""The statistical columns of a (sub-)query, put together from tests, intervals and bands."""

import math
from dataclasses import fields

import numpy as np
import pytest

from fairflow.metrics.ect import ECT
from fairflow.metrics.mac import MAC
from fairflow.metrics.ripa import RIPA
from fairflow.metrics.rnd import RND
from fairflow.metrics.rnsb import RNSB
from fairflow.metrics.weat import WEAT
from fairflow.statistics.uncertainty import Statistics, Uncertainty, quantify, sensitivity

from .word_sets import sets_of, words

FEW = Statistics(permutations=300, resamples=200, joint_draws=50, random_sets=40)
CELL = ("model", "weat", "query", "digest")
P_COLUMNS = (
    "p_value", "alternative", "p_method", "p_statistic", "n_permutations", "p_smallest", "p_error",
    "p_normal", "null_mean", "null_sd",
)  # fmt: skip


OF_TEMPLATES = ("ci_low_factors", "ci_high_factors")


def outcome_of(metric, target_sizes, attribute_sizes, **parameters):
    targets = sets_of(target_sizes, names="xyz")
    return metric.compute(targets, sets_of(attribute_sizes, seed=1, names="ab"), **parameters)


def columns(outcome, settings=FEW, seed=1, cell=CELL, **options):
    return quantify(outcome.resampling(), outcome.measures, settings, seed, cell, **options)


WIDE = {
    "weat": lambda: outcome_of(WEAT(), (10, 11), (10, 12)),
    "rnd": lambda: outcome_of(RND(), (10, 10), (12,)),
    "ect": lambda: outcome_of(ECT(), (10, 10), (12,)),
    "mac": lambda: outcome_of(MAC(), (10, 10), (12, 10)),
    "ripa": lambda: outcome_of(RIPA(), (10, 10), (12,)),
}


@pytest.mark.parametrize("metric", WIDE)
def test_every_column_is_filled_where_everything_can_be_had(metric):
    outcome = WIDE[metric]()
    targets = sets_of((40, 44 if metric == "weat" else 40), seed=5, names="uv")
    random_words = outcome.resampling(targets), 4, "order of the model"
    for name, found in columns(outcome, random_words=random_words).items():
        for column in fields(Uncertainty):
            value = getattr(found, column.name)
            tested = name in outcome.resampling().tested_measures
            absent = ("statistics_note", *OF_TEMPLATES, *(() if tested else P_COLUMNS))
            if not math.isfinite(outcome.resampling().limits(name)[0]):
                absent += ("least", "most")
            if column.name not in absent:
                assert value is not None
                assert value == value
        assert found.statistics == "ok"
        assert (found.statistics_note is None) == tested
        assert found.ci_low <= found.ci_high
        assert found.ci_low_both <= found.ci_high_both
        assert found.loo_low <= outcome.measures[name] <= found.loo_high
        assert found.null_band_low <= found.null_band_high
        assert not tested or 0 < found.p_smallest <= found.p_value <= 1
        assert 0 < found.p_null_band <= 1
        assert (found.ci_method, found.ci_level, found.n_resamples) == ("bca", 0.95, 200)
        assert (found.n_random_sets, found.frequency_source) == (40, "order of the model")
        assert len(found.draws) == 50


# Metric -> the measures whose statistic is exchanged; all others have intervals and a reason.
TESTED = {
    "weat": ["weat", "effect_size"],
    "rnd": ["rnd"],
    "ect": ["ect"],
    "mac": ["mac_difference"],
    "ripa": ["ripa"],
    "rnsb": ["rnsb_between_sets"],
}
EVERY = WIDE | {
    "rnsb": lambda: outcome_of(RNSB(), (10, 10), (12, 12), random_state=1, n_iterations=3)
}


@pytest.mark.parametrize("metric", EVERY)
def test_a_measure_with_a_p_value_orders_the_exchanges_as_the_tested_statistic_does(metric):
    statistic = EVERY[metric]().resampling()
    random = np.random.default_rng(0)
    if statistic.exchanged == "signs":
        weights = [1.0 - 2 * random.integers(0, 2, (50, statistic.n_units))]
    else:
        places = np.argsort(random.random((50, statistic.n_units)), axis=1)
        labels = (places >= statistic.sizes[0]).astype(int)
        weights = [(labels == i).astype(float) for i in (0, 1)]
    tested = statistic.test_statistic(weights)
    for name in TESTED[metric]:
        values = statistic.measures(weights)[name]
        slope, shift = np.polyfit(tested, values, 1)
        assert slope > 0
        assert values == pytest.approx(slope * tested + shift)


def missing(uncertainty):
    values = {c.name: getattr(uncertainty, c.name) for c in fields(Uncertainty)}
    del values["statistics_note"]
    return [name for name, value in values.items() if value is None or value != value]


# Some columns of each of these cannot be had; the note must contain the sentence.
SAME = [[1.0, 2.0, 0.5, 0.0]] * 4
POOR = {
    "one target set": (
        lambda: outcome_of(MAC(), (5,), (4,)),
        "a permutation test needs two target sets",
    ),
    "single words": (
        lambda: outcome_of(RND(), (1, 1), (1,)),
        "resampling the words does not change the value; no null band: no random words; "
        "leaving out any word leaves no value",
    ),
    "a single attribute word": (
        lambda: outcome_of(ECT(), (4, 4), (1,)),
        "the tested statistic is undefined; the value itself is undefined",
    ),
    "equal target words": (
        lambda: WEAT().compute([words("x", SAME), words("y", SAME)], sets_of((4, 4), names="ab")),
        "p_normal: no exchange changes the statistic; the value itself is undefined",
    ),
    "the same words in both sets": (
        lambda: WEAT().compute(
            [words("x", sets_of((3,))[0].vectors, "pqr")] * 2, sets_of((4, 4), names="ab")
        ),
        "every target word is in several target sets: nothing can be exchanged",
    ),
}


@pytest.mark.parametrize("case", POOR)
def test_what_cannot_be_had_is_nan_with_a_note(case):
    make, sentence = POOR[case]
    found = columns(make())
    *_, last = found.values()
    assert missing(last)
    assert sentence in last.statistics_note


def test_a_cell_gets_the_same_numbers_whenever_it_is_computed():
    outcome = outcome_of(ECT(), (8, 8), (6,))
    settings = Statistics(exact_up_to=10, permutations=300, resamples=200, joint_draws=50)
    first = columns(outcome, settings)
    columns(outcome_of(RND(), (4, 4), (6,)))
    assert columns(outcome, settings) == first


@pytest.mark.parametrize("metric", EVERY)
def test_a_p_value_stands_only_with_the_measure_whose_statistic_was_exchanged(metric):
    outcome = EVERY[metric]()
    found = columns(outcome)
    assert [name for name, one in found.items() if not math.isnan(one.p_value)] == TESTED[metric]
    for name in set(found) - set(TESTED[metric]):
        assert found[name].ci_low < found[name].ci_high
        sentence = f"no test of this measure: exchanged was the {outcome.resampling().tested}"
        assert sentence in found[name].statistics_note


def test_the_side_is_that_of_the_metric_unless_another_is_wanted():
    outcome = outcome_of(WEAT(), (6, 6), (5, 5))
    assert columns(outcome)["weat"].alternative == "two-sided"
    assert columns(outcome, alternative="less")["weat"].alternative == "less"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"resamples": 500}, r"joint_draws must lie between 0 and resamples \(500\), got 1000"),
        ({"joint_draws": -1}, "joint_draws must lie between 0"),
    ],
)
def test_settings_out_of_range_are_refused_by_name(wrong, message):
    with pytest.raises(ValueError, match=message):
        Statistics(**wrong)


def without_each(*groups):
    return [np.array(group, dtype=float) for group in groups]


def test_the_word_that_moves_the_value_most_is_named():
    found = sensitivity(5, without_each([4, 6], [5, 1, 7]), ["ab", "cde"])
    assert found == {"loo_low": 1, "loo_high": 7, "influential_word": "d"}


@pytest.mark.parametrize(
    ("value", "groups"),
    [(math.nan, ([1, 2], [1, 2, 3])), (5, ([math.nan] * 2, [math.nan] * 3))],
)
def test_an_undefined_value_or_none_without_any_word_has_no_range(value, groups):
    assert sensitivity(value, without_each(*groups), ["ab", "cde"]) == {}
