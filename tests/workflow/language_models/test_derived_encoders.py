"""Debiased encoders through the workflow: one pass of the network for before and after."""

import json

import numpy as np
import pandas as pd
import pytest
from language_project import MODELS, TARGET, TORCH_RULES, headline, write
from language_project import with_language_models as with_study

from fairflow.vectors.query_vectors import read_slices
from project import Project, make_project

pytestmark = [pytest.mark.torch, pytest.mark.workflow]

EMBEDDING_RULES = TORCH_RULES
BASE = "small-masked"
GROUPS = [["she", "her", "woman", "girl"], ["he", "his", "man", "boy"]]
PAIRS = [["she", "he"], ["her", "his"], ["woman", "man"]]


def derived(transform: str, base: str = BASE, **parameters: object) -> dict[str, object]:
    return {"derive": {"from": base, "transform": transform, **parameters}}


DERIVED = {
    "projected": derived("linear_projection", definitional=PAIRS),
    "sentences": derived("sentence_debias", definitional=PAIRS, sentences="data/texts.txt"),
    "twice": derived("leace", "projected", groups=GROUPS),
}
STUDY = {
    "title": "Before and after",
    "models": [BASE, *DERIVED],
    "compare": {"before": BASE, "after": [*DERIVED]},
    "metrics": ["weat"],
    "criteria": {"Words": ["noise"]},
    "aggregation": "abs_avg",
    "figures": ["before_after"],
}


def write_models(project: Project, models: dict[str, object]) -> None:
    write(project.folder / "config/language_models.yaml", MODELS | models)
    study = STUDY | {"models": [BASE, *models]}
    study |= {"compare": {"before": BASE, "after": [*models]}}
    write(project.folder / "config/studies/language.yaml", study)


@pytest.fixture(scope="module")
def run_once(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = with_study(make_project(tmp_path_factory.mktemp("encoders") / "project"))
    texts = "She is a nurse.\nThe man sat.\nHe met her.\nIt rains.\n"
    (project.folder / "data/texts.txt").write_text(texts)
    write_models(project, DERIVED)
    project.run(*TARGET)
    return project


def test_the_study_has_scores_differences_and_a_record_of_each(done: Project):
    scores = headline(done)
    assert set(scores.index.get_level_values("model")) == {BASE, *DERIVED}
    assert scores["value"].notna().all()
    table = pd.read_csv(done.folder / "results/studies/language/before_after.csv")
    assert set(table["model"]) == {*DERIVED}
    assert (done.folder / "results/figures/language/before_after.png").is_file()
    record = json.loads((done.folder / "results/provenance/models/sentences.json").read_text())
    facts = record["derivation"]
    assert (facts["from"], facts["sets_of_sentences"], facts["lines_left_out"]) == (BASE, 2, 2)
    assert facts["parameters"]["sentences"]["lines"] == 4
    models = pd.read_csv(done.folder / "results/studies/language/language_models.csv", index_col=0)
    assert models.loc["twice", "source"] == "projected by leace"
    assert models.loc["twice", "architecture"] == models.loc[BASE, "architecture"]
    assert done.verify().returncode == 0
    assert done.planned(*TARGET) == {}


def test_slices_are_those_of_the_base_without_the_direction(done: Project):
    base, changed = (
        read_slices([done.folder / f"results/slices/{model}/toy.parquet"])[model, "noise"]
        for model in (BASE, "projected")
    )
    record = json.loads((done.folder / "results/provenance/models/projected.json").read_text())
    (direction,) = np.array(record["derivation"]["directions"])
    before, after = (one.vectors.astype(np.float64) for one in (base, changed))
    assert np.abs(before @ direction).max() > 1e-3
    expected = before - np.outer(before @ direction, direction)
    assert after == pytest.approx(expected, abs=1e-5)


def test_one_more_model_of_known_texts_runs_no_network(done: Project):
    more = DERIVED | {"means": derived("mean_projection", groups=GROUPS)}
    write_models(done, more)
    planned = done.planned(*TARGET)
    assert not EMBEDDING_RULES & planned.keys()
    for rule in ("derive_encoder", "look_up_embeddings", "score_queries", "compare_pairs"):
        assert planned[rule] == 1


def test_another_parameter_fits_again_and_what_follows(done: Project):
    again = derived("linear_projection", definitional=PAIRS, components=2)
    write_models(done, DERIVED | {"projected": again})
    planned = done.planned(*TARGET)
    assert not EMBEDDING_RULES & planned.keys()
    # The model that is derived from it too.
    assert planned["derive_encoder"] == planned["look_up_embeddings"] == 2


def test_a_line_of_the_file_that_changes_embeds_the_sentences_again(done: Project):
    with open(done.folder / "data/texts.txt", "a") as file:
        file.write("The girl and the woman sang.\n")
    planned = done.planned(*TARGET)
    assert EMBEDDING_RULES & planned.keys() == {"embed_texts"}
    assert planned["derive_encoder"] == 1
