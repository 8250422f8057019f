"""The record of a job: what a file is made of, from its wildcards alone."""

from pathlib import Path

import pytest

from fairflow.files.configuration_files import read_yaml
from fairflow.planning.configuration import read_configuration
from fairflow.planning.jobs import Jobs
from fairflow.planning.planner import make_plan

ROOT = Path(__file__).parents[3]
SUBSET = "word2vec-google-news-300-weat"


@pytest.fixture(scope="module")
def jobs():
    main = read_yaml(ROOT / "config/config.yaml")
    schemas = ROOT / "workflow/schemas"
    return Jobs(make_plan(read_configuration(main, ROOT / "config", schemas)), "models")


def test_a_cell_is_made_of_its_slice_by_the_module_of_its_metric(jobs):
    cell = jobs.cells[SUBSET, "weat", "weat_6"]
    assert cell.file == f"results/scores/{SUBSET}/weat/weat_6.parquet"
    assert cell.inputs == {"slice": f"results/slices/{SUBSET}/weat_6.npz"}
    assert cell.modules == ("fairflow.scores.word_cell", "fairflow.metrics.weat")
    assert cell.seed == cell.how["seed"] == jobs.plan.seed
    assert cell.how["statistics"]["random_words"]


def test_a_slice_is_made_of_the_vectors_of_the_origin_and_of_how_they_are_changed(jobs):
    derived = f"{SUBSET}-hard-debiased"
    slice_ = jobs.slices[derived, "gender_1"]
    assert slice_.inputs["vectors"] == f"models/{SUBSET}/vectors"
    assert slice_.inputs["derivations"] == [f"models/{derived}/derivation.npz"]
    assert slice_.inputs["query"] == jobs.words["gender_1"].file
    assert slice_.inputs["order"] == [f"results/word_orders/{derived}.json"]


def test_what_no_study_asks_for_has_a_record_without_tests_and_random_words(jobs):
    model, query = "glove-6B-50d", "weat_6"
    assert (model, "rnd", query) not in jobs.plan.cells
    assert jobs.cells[model, "rnd", query].how["statistics"] is None
    assert jobs.cells[model, "rnd", query].seed == 0


def test_records_are_equal_where_plans_are_and_made_once(jobs):
    again = Jobs(jobs.plan, "models")
    assert again.words["weat_6"] == jobs.words["weat_6"]
    assert again.words["weat_6"] is again.words["weat_6"]


def test_an_edit_of_the_seed_is_seen_in_the_records_that_draw(jobs):
    main = read_yaml(ROOT / "config/config.yaml") | {"seed": 7}
    other = Jobs(make_plan(read_configuration(main, ROOT / "config", ROOT / "workflow/schemas")))
    cell = SUBSET, "weat", "weat_6"
    assert other.cells[cell].seed == 7
    assert other.cells[cell] != jobs.cells[cell]
    assert other.words["weat_6"] == jobs.words["weat_6"]
