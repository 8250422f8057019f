"""Settings of tests and intervals are checked before anything is computed."""

import pytest

from fairflow.statistics.uncertainty import Statistics


def test_the_defaults_are_those_of_the_documentation():
    settings = Statistics()
    assert (settings.exact_up_to, settings.permutations) == (3_000_000, 100_000)
    assert (settings.resamples, settings.interval, settings.level) == (5_000, "bca", 0.95)
    assert (settings.random_sets, settings.joint_draws) == (1_000, 1_000)


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


def test_all_draws_or_none_may_be_kept():
    assert Statistics(joint_draws=0).joint_draws == 0
    assert Statistics(resamples=100, joint_draws=100).joint_draws == 100
