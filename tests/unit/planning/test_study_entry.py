"""Presets, and models that a run may not use."""

from dataclasses import replace

import pytest
from shipped import ROOT, SCHEMAS, faults_of

from fairflow.errors import ConfigurationError
from fairflow.planning.catalogue import missing_file, why_absent
from fairflow.planning.configuration import read_configuration
from fairflow.planning.planner import announcement, make_plan
from fairflow.planning.study_jobs import Jobs
from fairflow.studies.tables import COMPARING

SUBSET = "word2vec-google-news-300-weat"
MODELS = {
    "large": {"sources": [{"url": "http://host/large.gz"}], "bytes": 2_176_768_927},
    "either": {"sources": [{"url": "http://host/x.gz"}, {"pypi": "x==1"}]},
    "file": {"sources": [{"file": "nowhere.txt"}]},
    "unit": {"derive": {"from": "large", "transform": "normalised"}},
    "unit of unit": {"derive": {"from": "unit", "transform": "normalised"}},
    "of the hub": {"kind": "masked", "hub": "some/model", "revision": "a" * 40},
}


def planned(configuration, study, download="bundled"):
    main = configuration.main | {"studies": ["mine"], "download": download}
    return make_plan(replace(configuration, main=main, studies={"mine": study}))


def published(plan):
    """What is said of the published models of a study."""
    return Jobs(plan).of("tables", study="mine").how["comparison"]


def problem(configuration, study, **arguments):
    (found,) = faults_of(planned, configuration, study, **arguments)
    return found


def mine(models, **entries):
    return {"title": "Mine", "preset": "wefe-1.0", "models": models} | entries


@pytest.mark.parametrize(
    ("model", "download", "absent"),
    [
        ("large", "bundled", True),
        ("large", "all", False),
        ("large", ["large"], False),
        ("unit", ["large"], False),
        ("unit", ["other"], True),
        *(("unit of unit", [name], False) for name in ("large", "unit", "unit of unit")),
        ("unit of unit", "bundled", True),
        ("of the hub", "bundled", True),
        ("of the hub", ["of the hub"], False),
        ("either", "bundled", False),
        ("file", "all", True),
    ],
)
def test_a_model_is_there_if_a_package_or_the_configuration_gives_it(model, download, absent):
    assert (why_absent(model, MODELS, download) is not None) == absent


def test_a_folder_in_the_place_of_a_file_is_told_to_be_one(tmp_path):
    assert missing_file({"sources": [{"file": str(tmp_path)}], "format": "spacy"}) == (
        f"there is no file {tmp_path}: that is a folder. Name the file in it, vocab/vectors in "
        "that of a spaCy pipeline."
    )


def test_a_preset_gives_metrics_queries_and_aggregation(configuration):
    study = planned(configuration, mine([SUBSET])).studies["mine"]
    assert study.metrics == ("weat", "weat_es", "rnd", "rnsb_100")
    assert len(study.queries) == 25
    assert study.aggregation == "abs_avg"


@pytest.mark.parametrize("preset", ["caliskan2017", "sweeney2019", "wefe2020", "wefe-1.0"])
def test_every_preset_can_be_applied_to_any_model(configuration, preset):
    study = planned(configuration, mine([SUBSET], preset=preset)).studies["mine"]
    assert study.models == (SUBSET,)


def test_a_preset_whose_queries_are_sought_otherwise_is_refused(configuration):
    preset = configuration.presets["wefe-1.0"] | {
        "criteria": {"Gender": ["gender_1"]},
        "lookup": "lowercase",
    }
    changed = replace(configuration, presets={"wefe-1.0": preset})
    expected = "query 'gender_1' has the look-up as_written_then_lowercase, but wefe-1.0 fixes"
    assert expected in problem(changed, mine([SUBSET]))


def test_what_a_preset_fixes_cannot_be_given_beside_it(tmp_path):
    folder = tmp_path / "config"
    folder.mkdir()
    for name in ("models", "metrics", "lookups"):
        (folder / f"{name}.yaml").symlink_to(ROOT / f"config/{name}.yaml")
    (folder / "studies").mkdir()
    text = "title: T\npreset: wefe-1.0\nmodels: [m]\naggregation: sum\n"
    (folder / "studies/mine.yaml").write_text(text)
    with pytest.raises(
        ConfigurationError, match="'aggregation' is not allowed here: the preset fixes it"
    ):
        read_configuration({"studies": ["mine"], "seed": 1}, folder, SCHEMAS)


LARGE = "glove-wiki-gigaword-300"


def test_a_model_that_may_not_be_fetched_is_left_to_its_published_numbers(configuration):
    study = mine([SUBSET, LARGE], on_missing_model="published")
    plan = planned(configuration, study)
    assert plan.studies["mine"].models == (SUBSET,)
    assert set(plan.studies["mine"].absent) == {LARGE}
    assert not any(cell.model == LARGE for cell in plan.cells)
    assert published(plan)["left_out"] == []
    assert published(plan)["absent"][LARGE].startswith(f"{LARGE} is not downloaded")


def test_with_fail_the_run_is_refused(configuration):
    found = problem(configuration, mine([SUBSET, LARGE], on_missing_model="fail"))
    assert f"models: {LARGE} is not downloaded: a file of 394 MB that download" in found


def test_a_study_without_any_model_is_refused(configuration):
    found = problem(configuration, mine([LARGE], on_missing_model="published"))
    assert "models: none can be used in this run" in found
    assert found.endswith(": leave the study out, or allow downloads (download: all)")


def test_the_first_candidate_of_the_run_stands_for_a_published_model(configuration):
    full = "word2vec-google-news-300"
    given = {"scores": "wefe_case_study_2021_12", "models": {full: [full, SUBSET]}}
    study = mine([SUBSET, full], on_missing_model="published", published=given)
    assert published(planned(configuration, study))["stand_ins"][full] == SUBSET
    assert published(planned(configuration, study, download="all"))["stand_ins"][full] == full


def test_files_that_no_study_reads_are_known(configuration):
    study = mine([SUBSET], published={"scores": "caliskan_2017", "others": ["sweater_readme"]})
    unread = planned(configuration, study).uncompared
    assert len(unread) == 26 - 2
    assert str(configuration.folder / "published/wefe_mac_page.csv") in unread


def test_downloads_are_announced_with_their_sizes_and_time(configuration, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plan = planned(
        configuration,
        mine([SUBSET, LARGE, "glove-twitter-25", "dict-debias"], on_missing_model="published"),
        download="all",
    )
    text = announcement(plan, tmp_path)
    assert text.startswith("This run downloads 3 files, 512 MB as")
    assert "  glove-twitter-25.gz: 110 MB" in text


HARD = f"{SUBSET}-hard-debiased"


def test_a_study_compares_models_before_and_after(configuration):
    study = mine([SUBSET, HARD], compare={"before": SUBSET, "after": [HARD]})
    plan = planned(configuration, study)
    made = plan.studies["mine"]
    assert (made.before, made.after) == (SUBSET, (HARD,))
    compared = Jobs(plan).of("differences", study="mine", model=HARD)
    cells = compared.how["cells"]
    assert {(before[0], after[0]) for before, after in cells} == {(SUBSET, HARD)}
    assert all(before[1:] == after[1:] for before, after in cells)
    assert len(cells) == len(made.metrics) * len(made.queries)
    files = {plan.file_of(query) for query in made.queries}
    assert len(compared.inputs["slices"]) == 2 * len(files)


def test_what_is_compared_is_of_the_study(configuration):
    study = mine([SUBSET], compare={"before": SUBSET, "after": [HARD]})
    found = problem(configuration, study)
    assert f"compare.after: unknown model of this study {HARD!r}" in found
    study = mine([SUBSET, HARD], compare={"before": SUBSET, "after": [HARD, SUBSET]})
    assert problem(configuration, study).endswith("is the model before: leave it out here")


def test_nothing_is_compared_with_a_model_that_is_absent(configuration):
    absent = "glove-twitter-25"
    compare = {"before": absent, "after": [HARD]}
    study = mine([absent, HARD], compare=compare, on_missing_model="published")
    made = planned(configuration, study).studies["mine"]
    assert (made.before, made.after) == ("", ())
    assert COMPARING not in made.kinds


def test_what_comes_of_a_model_of_the_study_is_no_rival_of_it(configuration):
    unit = f"{SUBSET}-normalised"
    derived = planned(configuration, mine([SUBSET, unit, HARD])).studies["mine"].derived
    assert derived == {HARD: SUBSET}
    assert planned(configuration, mine([unit, HARD])).studies["mine"].derived == {HARD: unit}
    assert planned(configuration, mine([HARD])).studies["mine"].derived == {}
