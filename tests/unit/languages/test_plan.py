"""A query of one language is not put to a model of another one, and the study says so."""

import shutil
from pathlib import Path

import pytest
from shipped import CONFIG, shipped

from fairflow.errors import ConfigurationError
from fairflow.files.configuration_files import read_yaml
from fairflow.planning.configuration import only
from fairflow.planning.planner import make_plan
from fairflow.planning.study_jobs import asked_of

GLOVE, GOOGLE = "glove-6B-50d", "word2vec-google-news-300-weat"


@pytest.fixture
def planned(tmp_path):
    """Plan a study of some models and queries, of a configuration with GloVe of two languages."""
    folder = Path(shutil.copytree(CONFIG, tmp_path / "config"))
    models = read_yaml(folder / "models.yaml")
    text = (folder / "models.yaml").read_text(encoding="utf-8")
    assert models[GLOVE]["language"] == "en"
    before, name, after = text.partition(f"\n{GLOVE}:\n")
    after = after.replace("language: en", "language: [en, fr]", 1)
    (folder / "models.yaml").write_text(before + name + after, encoding="utf-8")

    def plan(models, queries):
        (folder / "studies/mine.yaml").write_text(
            f"title: Mine\nmodels: {models}\nmetrics: [weat]\naggregation: avg\n"
            f"criteria: {{All: {queries}}}\n".replace("'", "")
        )
        return make_plan(shipped(folder, **only("mine"))).studies["mine"]

    return plan


def test_a_study_leaves_out_these_cells_and_counts_them(planned):
    study = planned([GLOVE, GOOGLE], ["weathub_fr_weat1", "weathub_fr_weat7", "weat_1"])
    assert [(cell.model, cell.query) for cell in study.cells] == [
        (GLOVE, "weathub_fr_weat1"),
        (GLOVE, "weathub_fr_weat7"),
        (GLOVE, "weat_1"),
        (GOOGLE, "weat_1"),
    ]
    assert {cell.model for cell in study.impossible} == {GOOGLE}
    # The usual checks are those of each language.
    in_french = [cell.query for cell in study.control_cells if cell.model == GLOVE]
    assert in_french == ["weat_1", "weat_2", "weathub_fr_weat1", "weathub_fr_weat2"]
    assert [c.query for c in study.control_cells if c.model == GOOGLE] == ["weat_1", "weat_2"]
    ((model, languages, numbers),) = asked_of(study)["unspoken"]
    assert (model, [*languages], dict(numbers)) == (GOOGLE, ["en"], {"fr": 2})


def test_a_query_that_no_model_of_a_study_knows_is_a_fault(planned):
    sentence = f"query 'weathub_fr_weat1' is in fr, and no model is \\({GOOGLE}: en\\)"
    with pytest.raises(ConfigurationError, match=sentence):
        planned([GOOGLE], ["weathub_fr_weat1", "weat_1"])


def test_the_french_study_has_the_queries_that_may_be_grammar_and_the_model_without_it():
    plan = make_plan(shipped(**only("french")))
    asked = asked_of(plan.studies["french"])["further"]
    tests = ("weat6", "weat7", "weat8", "weat11", "weat12")
    assert asked["gendered"] == {f"weathub_fr_{name}": "fr" for name in tests}
    assert asked["again"] == {"fr-core-news-md-without-gender": "fr-core-news-md"}
