"""Which scores are exported, on which scale, and how far each is from its fair value."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow.sharing.exports import FORMS, NO_FAIR_VALUE, ExportedScore


def test_a_preference_is_on_the_published_scale_and_0_is_the_fair_value_of_an_effect_size(planted):
    stereoset, weat = planted.scores["large"]
    assert (stereoset.metric, stereoset.fair) == ("StereoSet ss", 50)
    assert stereoset.score[:3] == pytest.approx((66.7, 48.4, 82.3))
    assert stereoset.reading == "above 50: stereotypes are more probable"
    assert (weat.fair, weat.score.value) == (0, -0.5)


def test_what_is_not_exported_has_its_reason(planted):
    name = "WEAT effect size on A and B wrt C and D"
    assert planted.left_out == {
        "large": {"CPS on Blanks | <i>": NO_FAIR_VALUE},
        "small": {name: "Careers lost 3 of 8 words (wage, boss, office)"},
        "noise": {name: "fails a control query: weat_1 (0.10)"},
    }
    assert [*planted.scores] == ["large"]


def test_scores_of_categories_have_names_and_labels_of_their_own(with_scores):
    parts = ("race", "gender")
    digests = {part: {"subquery": f"blanks: {part}", "subquery_digest": part} for part in parts}
    scores = with_scores(*digests.values()).scores["large"]
    assert [one.name for one in scores] == ["stereoset.blanks.race", "stereoset.blanks.gender"]
    assert [one.query for one in scores] == ["Blanks | <i>: race", "Blanks | <i>: gender"]


def test_an_infinite_score_is_no_value(with_scores):
    study = with_scores({"value": np.inf})
    assert study.scores == {}
    assert study.left_out["large"] == {"StereoSet ss on Blanks | <i>": "it has no value"}


ends = st.floats(-100, 100)


@given(value=ends, low=ends, high=ends, fair=st.sampled_from([0.0, 0.5, 50.0]))
def test_the_interval_of_the_distance_holds_the_distance_of_each_score_in_the_interval(
    value, low, high, fair
):
    low, value, high = sorted((low, value, high))
    row = {"value": value, "ci_low": low, "ci_high": high, "ci_low_both": np.nan, "draws": []}
    distance = ExportedScore("", "", "", "", fair, row, 0).distance
    every = np.abs(np.linspace(low, high, 201) - fair)
    assert distance.low <= every.min() + 1e-9
    assert distance.high == pytest.approx(every.max())
    assert distance.low >= every.min() - (high - low) / 200
    assert distance.low <= distance.value <= distance.high


def test_the_standard_error_is_that_of_the_resamples_that_the_interval_is_over(planted):
    stereoset, _ = planted.scores["large"]
    assert stereoset.score.error == pytest.approx(8, rel=1e-3)
    both = stereoset._replace(row={**stereoset.row, "ci_low_both": -3.0})
    assert np.isnan(both.score.error)


@pytest.mark.parametrize("form", FORMS)
def test_the_same_study_has_the_same_bytes_and_names_the_run(planted, form):
    texts = FORMS[form](planted)
    assert texts == FORMS[form](planted)
    for text in texts.values():
        assert {"0.2.0", "ab12", "2020"} <= {
            part for part in ("0.2.0", "ab12", "2020") if part in text
        }
