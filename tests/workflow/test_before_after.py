"""A study that compares models before and after: differences, hidden bias and quality."""

import pandas as pd
import pytest

from project import Project, make_project, write_benchmark

pytestmark = pytest.mark.workflow

PLACE = "results/studies/toy"
TABLES = [f"{PLACE}/{name}" for name in ("before_after.csv", "quality.csv", "conclusions.md")]


@pytest.fixture
def project(tmp_path) -> Project:
    """The toy project with a comparison and a benchmark of the user's own, nothing run yet."""
    made = make_project(tmp_path / "project")
    with open(made.folder / "config/studies/toy.yaml", "a") as file:
        file.write("compare: {before: first, after: [second, first-normalised]}\n")
    with open(made.folder / "config/queries/toy.yaml", "a") as file:
        file.write(
            "  lean:\n    targets: {Cold: toy:cold}\n    pairs: [[cat, dog]]\n"
            "    vocabulary: {first: 50000, limited: true, without: [toy:cats]}\n"
            "    measured_by: [hidden_bias]\n"
        )
    sizes = "{n_clustered: 20, n_classified: 20, n_train: 10, n_neighbours: 4, n_runs: 2}"
    with open(made.folder / "config/metrics.yaml", "a") as file:
        file.write(
            "hidden_bias:\n  metric: hidden_bias\n  measure: neighbour_correlation\n"
            f"  parameters: {sizes}\n"
        )
    made.edit("config/studies/toy.yaml", "[weat, rnd, rnsb]", "[weat, hidden_bias]")
    made.edit("config/studies/toy.yaml", "Sound: [noise]", "Sound: [noise]\n  Hidden: [lean]")
    write_benchmark(made)
    return made


def test_a_study_that_compares_has_all_benchmarks_and_the_differences_of_its_metrics(
    project: Project,
):
    assert project.planned()["record_model"] == 3
    project.run("--cores", "1", *TABLES)
    kept = pd.read_csv(project.folder / TABLES[1]).set_index(["model", "other"])
    assert set(kept["subject"]) == {"Mine"}
    assert set(kept["n"]) == {25}
    assert kept.loc[("first-normalised", "first"), "difference"] == pytest.approx(0, abs=1e-6)
    changes = pd.read_csv(project.folder / TABLES[0]).set_index(["metric", "model"])
    hidden = changes.loc[("hidden_bias", "first-normalised")]
    assert hidden["difference"] == pytest.approx(0, abs=1e-6)
    assert "on average" in (project.folder / TABLES[2]).read_text()
    assert project.planned(*TABLES) == {}

    project.edit("config/metrics.yaml", "n_runs: 2", "n_runs: 3")
    assert project.planned(*TABLES)["score_queries"] == 3
