"""Settings of tests and intervals are checked before anything is computed."""

import pytest

from fairflow.statistics.uncertainty import Statistics


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
