"""Records that its schema takes, with the distance from the fair value as the score."""

import json
from pathlib import Path
from uuid import UUID

import pytest
from jsonschema import Draft7Validator

from fairflow.sharing.exports import every_eval_ever

# Schema 0.3.0 without its descriptions; its licence (MIT) and source are named in the file.
SCHEMA = json.loads(Path(__file__).with_name("every_eval_ever.schema.json").read_text())


def _refused(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


@pytest.fixture
def record(planted):
    (text,) = every_eval_ever(planted).values()
    return json.loads(text, parse_constant=_refused)


def test_the_schema_takes_the_record(record):
    assert [error.message for error in Draft7Validator(SCHEMA).iter_errors(record)] == []


def test_a_file_is_named_by_study_developer_and_model_and_by_a_uuid_of_version_4(planted):
    (path,) = every_eval_ever(planted)
    assert path.startswith("data/fairflow_planted/org/large/")
    assert UUID(Path(path).stem).version == 4


def test_the_score_is_the_distance_and_says_so_with_the_score_itself_beside_it(record):
    stereoset, weat = record["evaluation_results"]
    assert stereoset["metric_config"]["metric_name"] == "absolute distance of StereoSet ss from 50"
    assert stereoset["metric_config"]["lower_is_better"] is True
    assert stereoset["score_details"]["score"] == pytest.approx(16.7)
    details = stereoset["score_details"]["details"]
    assert float(details["value"]) == pytest.approx(66.7)
    assert (details["fair_value"], details["n_clusters"], details["p_bh"]) == ("50", "16", "0.31")
    assert weat["score_details"]["score"] == pytest.approx(0.5)
    assert weat["score_details"]["details"]["value"] == "-0.5"


def test_the_uncertainty_is_that_of_the_distance(record):
    stereoset, weat = (one["score_details"]["uncertainty"] for one in record["evaluation_results"])
    # The interval from 48.4 to 82.3 holds the fair value.
    interval = stereoset["confidence_interval"]
    assert (interval["lower"], interval["upper"]) == (0, pytest.approx(32.3))
    assert interval["confidence_level"] == 0.95
    # 48 items in 16 clusters, which are drawn as a whole; 31 words.
    assert (stereoset["num_samples"], stereoset["num_bootstrap_samples"]) == (16, 5000)
    assert weat["num_samples"] == 31
    assert weat["confidence_interval"]["lower"] == pytest.approx(0.1)
    assert weat["confidence_interval"]["upper"] == pytest.approx(0.9)
    assert weat["standard_error"]["value"] == pytest.approx(0.2, rel=1e-3)


@pytest.mark.parametrize(
    ("model", "deployment", "weights"),
    [("large", "self_deployed", "open_weights"), ("small", "externally_managed", "unknown")],
)
def test_a_model_of_given_answers_was_run_by_others(with_scores, model, deployment, weights):
    (text,) = every_eval_ever(with_scores({"model": model})).values()
    details = json.loads(text)["model_info"]["additional_details"]
    assert (details["deployment_type"], details["model_availability"]) == (deployment, weights)
