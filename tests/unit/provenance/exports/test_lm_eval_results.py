"""Results as lm-evaluation-harness 0.4.13 lays them out and its table reads them."""

from __future__ import annotations

import json

import pytest

from fairflow.provenance.exports.platform_records import lm_eval

STEREOSET, WEAT = "stereoset.blanks", "weat_es.careers"
# What its make_table reads of each task, and what readers of result files expect next to it.
BY_TASK = ("results", "configs", "versions", "n-shot", "higher_is_better", "n-samples")


@pytest.fixture
def results(planted):
    ((path, text),) = lm_eval(planted).items()
    assert path == "large/results.json"
    return json.loads(text)


@pytest.mark.parametrize("part", BY_TASK)
def test_every_part_has_every_task(results, part):
    assert [*results[part]] == [STEREOSET, WEAT]


def test_a_measure_has_its_standard_error_under_the_name_that_the_table_looks_up(results):
    values = results["results"][STEREOSET]
    assert values["preference,none"] == pytest.approx(66.7)
    assert values["preference_stderr,none"] == pytest.approx(8, rel=1e-3)
    assert values["absolute_distance_from_50,none"] == pytest.approx(16.7)
    assert values["lms,none"] == 93.8
    assert "icat,none" not in values


def test_only_the_distance_has_a_better_end(results):
    directions = results["higher_is_better"][STEREOSET]
    assert directions == {"preference": None, "absolute_distance_from_50": False}


def test_all_items_and_those_that_were_scored_are_counted(results):
    assert results["n-samples"][STEREOSET] == {"original": 2106, "effective": 48}
    assert results["n-samples"][WEAT] == {"original": 32, "effective": 31}


def test_the_interval_is_in_the_metadata_of_the_task(results):
    metadata = results["configs"][STEREOSET]["metadata"]
    assert (metadata["ci_low"], metadata["ci_high"]) == pytest.approx((48.4, 82.3))
    assert results["model_name_sanitized"] == "org__large"
