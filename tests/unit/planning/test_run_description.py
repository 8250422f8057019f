"""The description of a run: plain values, the studies in the order in which they are read."""

from dataclasses import replace

import pytest

from fairflow.errors import ConfigurationError
from fairflow.planning.jobs import run_description
from fairflow.planning.planner import make_plan

SUBSET, GLOVE = "word2vec-google-news-300-weat", "glove-6B-50d"
MINE = {"title": "Mine", "preset": "wefe-1.0", "models": [SUBSET, GLOVE]}


def planned(configuration, **mine):
    studies = configuration.studies | {"mine": MINE | mine}
    names = ["wefe_mac_page", "case_study", "mine"]
    main = configuration.main | {"studies": names, "language_studies": []}
    return make_plan(replace(configuration, main=main, studies=studies))


def test_the_users_own_study_goes_first_and_checks_of_documentation_last(configuration):
    described = run_description(planned(configuration))
    assert [study["name"] for study in described["studies"]] == [
        "mine",
        "case_study",
        "wefe_mac_page",
    ]
    assert [study["own"] for study in described["studies"]] == [True, False, False]
    assert [study["checks"] for study in described["studies"]] == ["", "", "documentation"]
    assert described["tables"][0].startswith("mine/")


def test_a_study_may_be_about_one_of_its_models(configuration):
    described = run_description(planned(configuration, subject=GLOVE))
    assert described["studies"][0]["subject"] == GLOVE
    with pytest.raises(ConfigurationError, match=r"subject: unknown name 'glove-6b-50d'"):
        planned(configuration, subject="glove-6b-50d")
