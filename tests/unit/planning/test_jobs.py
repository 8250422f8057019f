"""The registry of jobs: what a file is made of, from its kind and its wildcards alone."""

import inspect
from dataclasses import replace
from pathlib import Path
from string import Formatter

import pytest
from shipped import shipped

from fairflow.capabilities import extensions
from fairflow.errors import ConfigurationError
from fairflow.planning.jobs import run_description
from fairflow.planning.planner import make_plan
from fairflow.planning.registry import KINDS, kind_called, path_of
from fairflow.planning.study_jobs import Jobs

SUBSET, GLOVE = "word2vec-google-news-300-weat", "glove-6B-50d"
FILE = {"queries": "weat_replication"}
SCORES = {"model": SUBSET, "metric": "weat", **FILE}


def jobs_of(**changes):
    return Jobs(make_plan(shipped(**changes)), "models")


@pytest.fixture(scope="module")
def jobs():
    return jobs_of()


@pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if kind.path])
def test_a_kind_takes_the_wildcards_of_its_path(kind):
    named = {name for _, name, *_ in Formatter().parse(KINDS[kind].path) if name}
    named -= {"answers", "models"}
    _, *taken = inspect.signature(KINDS[kind].make).parameters
    assert taken == ["wildcards"] or {*taken} == named


def test_the_rules_list_the_path_of_each_kind(jobs):
    extensions("jobs")
    rules = Path(__file__).parents[3] / "workflow/rules"
    listed = [
        line.split()[:2]
        for file in (rules / "jobs.smk", *rules.glob("capabilities/*.smk"))
        for line in file.read_text().split('"""')[1].splitlines()
        if " results/" in line
    ]
    for name, told in listed:
        if path := kind_called(name).path:
            wildcards = {one: one.upper() for _, one, *_ in Formatter().parse(path) if one}
            wildcards |= {"models": "results/models", "answers": "results"}
            assert told == path.format(**wildcards)
    # Files that a rule names itself, those of audits, and further outputs of a job.
    own = {"download", "same_vectors", "summary", "order", "norms", "quality"}
    assert {name for name, _ in listed} == KINDS.keys() - own


def test_scores_are_made_of_slices_by_the_module_of_their_metric(jobs):
    job = jobs.of("scores", **SCORES)
    assert path_of(jobs.plan, "scores", **SCORES) == (
        f"results/scores/{SUBSET}/weat/weat_replication.parquet"
    )
    assert job.inputs == {"slices": [f"results/slices/{SUBSET}/weat_replication.parquet"]}
    assert job.modules == ("fairflow.scores.word_cell", "fairflow.metrics.weat")
    assert job.how["seed"] == jobs.plan.seed
    assert job.how["statistics"]["random_words"]
    # In an order that no other edit changes.
    assert job.how["queries"] == job.how["tested"] == sorted(job.how["queries"])
    assert len(job.how["queries"]) == 13


def test_slices_are_made_of_the_vectors_of_the_origin_and_of_how_they_are_changed(jobs):
    derived = f"{SUBSET}-hard-debiased"
    read = jobs.of("slices", model=derived, queries="case_study").inputs
    assert read["vectors"] == f"models/{SUBSET}/vectors"
    assert read["derivations"] == [f"models/{derived}/derivation.npz"]
    assert read["words"] == path_of(jobs.plan, "words", queries="case_study")
    assert read["order"] == [f"results/word_orders/{derived}.json"]


def test_what_no_study_asks_for_is_a_job_without_queries_tests_and_random_words(jobs):
    how = jobs.of("scores", model="glove-6B-50d", metric="rnd", **FILE).how
    assert (how["queries"], how["statistics"], how["seed"]) == ([], None, 0)


def test_jobs_are_equal_where_plans_are_and_made_once(jobs):
    again = Jobs(jobs.plan, "models")
    assert again.of("words", **FILE) == jobs.of("words", **FILE)
    assert again.of("words", **FILE) is again.of("words", **FILE)


def test_an_edit_of_the_seed_is_seen_in_the_jobs_that_draw(jobs):
    other = jobs_of(seed=7)
    assert other.of("scores", **SCORES).how == jobs.of("scores", **SCORES).how | {"seed": 7}
    assert other.of("words", **FILE) == jobs.of("words", **FILE)


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
