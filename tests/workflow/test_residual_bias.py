"""What remains of a bias in the models of a study that compares them, and what was lost."""

from __future__ import annotations

import pandas as pd
import pytest

from project import Project, make_project, write_benchmark

pytestmark = pytest.mark.workflow

TABLE, TEXT = (f"results/studies/toy/{name}" for name in ("residual_bias.csv", "conclusions.md"))
RESIDUAL_BIAS = (
    "compare: {before: first, after: [second, first-normalised]}\n"
    "residual_bias:\n"
    "  {pairs: toy:pairs, ends: [cat, dog], professions: toy:cold, specific: [toy:cats],\n"
    "  n_clustered: 20, n_classified: 20, n_train: 10, n_neighbours: 4, n_runs: 2}\n"
)


@pytest.fixture
def project(tmp_path) -> Project:
    """The toy project with a comparison and a benchmark of the user's own, nothing run yet."""
    made = make_project(tmp_path / "project")
    with open(made.folder / "config/word_sets/toy.yaml", "a") as file:
        file.write("  pairs: {tuples: [[sun, ice], [fire, snow], [tea, absent]]}\n")
    with open(made.folder / "config/studies/toy.yaml", "a") as file:
        file.write(RESIDUAL_BIAS)
    write_benchmark(made)
    return made


def test_a_study_that_compares_tells_what_remains_and_measures_a_model_once(project: Project):
    assert project.planned()["measure_residual_bias"] == 3
    project.run("--cores", "1", TABLE, TEXT)
    table = pd.read_csv(project.folder / TABLE)
    assert table["model"].unique().tolist() == ["first", "second", "first-normalised"]
    kept = table[table["about"] == "quality"].set_index("model")
    assert kept["subject"].tolist() == ["Mine"] * 3
    assert kept[["covered", "total"]].to_numpy().tolist() == [[25, 26]] * 3
    assert kept.loc["first-normalised", "difference"] == pytest.approx(0, abs=1e-6)
    assert abs(kept.loc["second", "difference"]) > 0.01
    few = table[table["test"] == "neighbours of professions"]
    assert set(few["note"]) == {"only 4 of these words are there"}
    assert "on average" in (project.folder / TEXT).read_text()
    assert project.planned(TABLE, TEXT) == {}

    before = project.contents("results/residual_bias")
    project.run("--cores", "2", "--forcerun", "measure_residual_bias", "--", TABLE)
    assert project.contents("results/residual_bias") == before

    project.edit("config/studies/toy.yaml", "n_runs: 2", "n_runs: 3")
    rerun = {"measure_residual_bias": 3, "tabulate_before_after": 1, "state_conclusions": 1}
    assert project.planned(TABLE, TEXT) == rerun


def test_a_metric_and_the_table_have_one_number_for_one_quantity(project: Project):
    with open(project.folder / "config/queries/toy.yaml", "a") as file:
        file.write(
            "  lean:\n    targets: {Cold: toy:cold}\n    pairs: [[cat, dog]]\n"
            "    vocabulary: {first: 50000, limited: true, without: [toy:cats]}\n"
            "    measured_by: [hidden_bias]\n"
        )
    sizes = "{n_clustered: 20, n_classified: 20, n_train: 10, n_neighbours: 4, n_runs: 2}"
    with open(project.folder / "config/metrics.yaml", "a") as file:
        file.write(
            "hidden_bias:\n  metric: hidden_bias\n  measure: neighbour_correlation\n"
            f"  parameters: {sizes}\n"
        )
    project.edit("config/studies/toy.yaml", "[weat, rnd, rnsb]", "[weat, hidden_bias]")
    project.edit("config/studies/toy.yaml", "Sound: [noise]", "Sound: [noise]\n  Hidden: [lean]")
    scores = "results/studies/toy/scores.csv"
    project.run("--cores", "1", TABLE, scores)
    measures = pd.read_csv(project.folder / scores).set_index(["model", "measure"])["value"]
    table = pd.read_csv(project.folder / TABLE).set_index(["model", "test"])["value"]
    for model in ("first", "first-normalised"):
        for test, measure in (
            ("clusters of the most biased words", "cluster_accuracy"),
            ("classifier of the most biased words", "classifier_accuracy"),
            ("neighbours of all words", "neighbour_correlation"),
        ):
            assert table[model, test] == measures[model, measure], (model, measure)


def test_a_misspelt_set_is_told_before_anything_runs(project: Project):
    project.edit("config/studies/toy.yaml", "pairs: toy:pairs", "pairs: toy:pair")
    output = project.run("--dry-run", check=False).stdout
    assert "studies/toy.yaml: residual_bias: pairs: unknown word set 'toy:pair'" in output
    assert "toy:pairs" in output
