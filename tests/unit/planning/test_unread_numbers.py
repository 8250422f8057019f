"""Numbers that no study of a run reads are reported with the study that reads them."""

from dataclasses import replace
from pathlib import Path

from fairflow.planning.study_planner import uncompared_numbers

SUBSET = "word2vec-google-news-300-weat"
LARGE = "glove-twitter-25"
# Files of config/published.
SCORES, OTHERS = "caliskan_2017", "sweater_readme"


def unread(configuration, named, download="bundled", **published):
    study = {"title": "Mine", "preset": "wefe-1.0", "models": named}
    study |= {"on_missing_model": "published", "published": {"scores": SCORES} | published}
    main = configuration.main | {"download": download}
    asked = replace(configuration, main=main, studies={"mine": study})
    found = uncompared_numbers(asked, {})
    return {Path(path).stem: why for path, why in found.items() if why["study"]}


def test_without_a_study_the_file_is_read_by_none(configuration):
    found = uncompared_numbers(replace(configuration, studies={}), {})
    assert len(found) == 26
    assert {why["study"] + why["command"] for why in found.values()} == {""}
    assert {why["reason"] for why in found.values()} == {"no study of this run reads this file"}


def test_the_study_that_reads_a_file_is_named_with_the_command_that_runs_it(configuration):
    found = unread(configuration, [SUBSET], others=[OTHERS])
    assert found.keys() == {SCORES, OTHERS}
    one = found[OTHERS]
    assert (one["study"], one["of_models"]) == ("mine", {})
    reason = "no study of this run reads this file; make run STUDY=mine computes mine"
    assert one["reason"] == reason


def test_a_study_of_the_ledger_is_computed_by_make_ledger(configuration):
    main = configuration.main | {"ledger_studies": ["mine"]}
    one = unread(replace(configuration, main=main), [SUBSET, LARGE])[SCORES]
    assert one["command"] == "make ledger"
    assert one["of_models"][LARGE].endswith(": make ledger DOWNLOAD=all")


def test_a_static_model_is_fetched_by_the_configuration(configuration):
    one = unread(configuration, [SUBSET, LARGE])[SCORES]
    assert one["of_models"][LARGE].endswith(": make run STUDY=mine, with download: all")


def test_a_printed_name_has_the_reasons_of_the_models_that_stand_for_it(configuration):
    stand_ins = {"Twitter": LARGE, "either": [LARGE, SUBSET]}
    one = unread(configuration, [SUBSET, LARGE], models=stand_ins)[SCORES]
    assert one["of_models"].keys() == {LARGE, "Twitter"}
    assert one["of_models"]["Twitter"] == one["of_models"][LARGE]
