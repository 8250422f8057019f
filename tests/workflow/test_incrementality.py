"""Which jobs an edit brings about, and that one run does them all."""

import shutil
from pathlib import Path

import pandas as pd
import pytest

from project import Project

pytestmark = pytest.mark.workflow

MODELS, METRICS, QUERIES = 3, 3, 2
TABLES = {
    "tabulate_scores": 1,
    "tabulate_study": 1,
    "state_conclusions": 1,
    "write_ledger": 1,
    "verify_published": 1,
    "plot_figure": 1,
    "describe_run": 1,
    "record_checksums": 1,
}


def completes(project: Project) -> None:
    """One run does everything; a second finds nothing to do."""
    project.run()
    assert project.planned() == {}


def test_first_run_plans_every_cell_once(fresh: Project):
    assert fresh.planned() == {
        "convert_model": 2,
        "derive_model": 1,
        "record_model": MODELS - 1,
        "record_derived_model": 1,
        "record_run": 1,
        "order_words": MODELS,
        "measure_vector_norms": MODELS,
        "materialise_query": QUERIES,
        "slice_vectors": MODELS * QUERIES,
        "score_query": MODELS * METRICS * QUERIES,
        **TABLES,
    }


def test_second_run_has_nothing_to_do(finished: Project):
    assert finished.planned() == {}


def test_touching_files_causes_no_job(finished: Project):
    for touched in (
        "config/word_sets/toy.yaml",
        "config/queries/toy.yaml",
        "config/studies/toy.yaml",
        "config/models.yaml",
        "config/published/toy.csv",
        "results/words/noise.json",
        "results/slices/first/noise.npz",
        "scripts/fairflow/metrics/weat.py",
    ):
        (finished.folder / touched).touch()
    assert finished.planned() == {}


WORD = ("config/word_sets/toy.yaml", "frost, hail", "frost, lynx")
OF_A_QUERY = {
    "materialise_query": 1,
    "record_run": 1,
    "slice_vectors": MODELS,
    "score_query": MODELS * METRICS,
    **TABLES,
}


def add_query(project: Project) -> None:
    with open(project.folder / "config/queries/toy.yaml", "a") as file:
        file.write(
            "  mixed:\n"
            "    targets: {Cats: toy:cats, Dogs: toy:dogs}\n"
            "    attributes: {Warm: toy:warm, Soft: toy:soft}\n"
        )
    project.edit("config/studies/toy.yaml", "[noise]", "[noise, mixed]")


def test_new_query_adds_its_cells_only_and_one_run_makes_them_and_those_of_a_changed_word(
    finished: Project,
):
    add_query(finished)
    assert finished.planned() == OF_A_QUERY
    finished.edit(*WORD)
    completes(finished)


def test_new_query_completes_in_one_run_although_slices_were_deleted(finished: Project):
    # Changed params together with missing intermediate files once left new work undone.
    shutil.rmtree(finished.folder / "results/slices")
    add_query(finished)
    finished.edit(*WORD)
    completes(finished)
    assert len(list((finished.folder / "results/scores").rglob("mixed.parquet"))) == 9


PARAMETER = ("config/metrics.yaml", "n_iterations: 3", "n_iterations: 4")
SOURCE = (
    "scripts/fairflow/metrics/rnd.py",
    "values = near_first - near_second",
    "values = 1.0 * near_first - near_second",
)
NUMBER = ("config/published/toy.csv", "temperature,,weat,0.5", "temperature,,weat,0.6")


def test_published_number_reruns_tables_but_no_cell(finished: Project):
    finished.edit(*NUMBER)
    planned = finished.planned()
    assert "score_query" not in planned
    assert planned["tabulate_study"] == 1


def test_one_run_follows_a_parameter_a_source_and_a_published_number(finished: Project):
    for edit in (PARAMETER, SOURCE, NUMBER):
        finished.edit(*edit)
    assert finished.planned()["score_query"] == 2 * MODELS * QUERIES
    completes(finished)


def test_another_measure_or_side_of_a_variant_reruns_no_cell(finished: Project):
    finished.edit(
        "config/metrics.yaml", "measure: weat", "measure: effect_size\n  alternative: greater"
    )
    assert "score_query" not in finished.planned()
    with open(finished.folder / "config/metrics.yaml", "a") as file:
        file.write(
            "weat_es:\n  metric: weat\n  measure: effect_size\n  parameters: {convention: wefe}\n"
        )
    finished.edit("config/studies/toy.yaml", "[weat, rnd, rnsb]", "[weat, weat_es, rnd, rnsb]")
    assert "score_query" not in finished.planned()
    completes(finished)
    scores = pd.read_csv(finished.folder / "results/studies/toy/scores.csv").query("is_primary")
    sides = scores.groupby("metric")["alternative"].unique().map(list)
    assert (sides["weat"], sides["weat_es"]) == (["greater"], ["two-sided"])


def test_seed_reruns_all_that_draws_and_without_statistics_few_metrics_do(finished: Project):
    finished.edit("config/config.yaml", "seed: 1", "seed: 2")
    planned = finished.planned()
    assert planned["slice_vectors"] == MODELS * QUERIES
    assert planned["score_query"] == MODELS * METRICS * QUERIES
    finished.edit("config/config.yaml", "seed: 2", "seed: 1")
    assert finished.planned() == {}
    with open(finished.folder / "config/studies/toy.yaml", "a") as file:
        file.write("statistics: none\n")
    completes(finished)
    finished.edit("config/config.yaml", "seed: 1", "seed: 2")
    assert finished.planned() == {
        "score_query": MODELS * QUERIES,
        "record_run": 1,
        **TABLES,
    }


def test_comment_in_a_metric_reruns_nothing(finished: Project):
    path = finished.folder / "scripts/fairflow/metrics/rnd.py"
    path.write_text(path.read_text() + "\n# a remark\n")
    assert finished.planned() == {}


def test_module_that_every_metric_uses_reruns_every_cell(finished: Project):
    finished.edit(
        "scripts/fairflow/metrics/base_metric.py",
        "return self.undefined(*vectors.rejected, parameters)",
        "return self.undefined(*tuple(vectors.rejected), parameters)",
    )
    assert finished.planned()["score_query"] == MODELS * METRICS * QUERIES


def change_local_vectors(project: Project) -> None:
    path = project.folder / "data/second.txt"
    path.write_text(path.read_text().replace("lynx", "panther"))


def test_changed_local_vectors_rerun_their_model(finished: Project):
    change_local_vectors(finished)
    planned = finished.planned()
    assert planned["convert_model"] == 1
    assert planned["score_query"] == METRICS * QUERIES


def test_new_model_adds_its_cells_only_and_one_run_makes_them_though_its_base_changes_too(
    finished: Project,
):
    with open(finished.folder / "config/models.yaml", "a") as file:
        file.write("second-normalised:\n  derive: {from: second, transform: normalised}\n")
    finished.edit(
        "config/studies/toy.yaml", "first-normalised]", "first-normalised, second-normalised]"
    )
    assert finished.planned() == {
        "derive_model": 1,
        "order_words": 1,
        "record_derived_model": 1,
        "measure_vector_norms": 1,
        "record_run": 1,
        "slice_vectors": QUERIES,
        "score_query": METRICS * QUERIES,
        **TABLES,
    }
    change_local_vectors(finished)
    completes(finished)


def test_the_order_of_a_model_is_that_of_its_twin_and_remakes_no_vectors(finished: Project):
    finished.edit("config/models.yaml", "first:\n", "first:\n  order: frequency\n")
    planned = finished.planned()
    assert (planned["order_words"], planned["slice_vectors"]) == (2, 2 * QUERIES)
    assert not planned.keys() & {"convert_model", "derive_model"}
    completes(finished)
    scores = pd.read_parquet(finished.folder / "results/studies/toy/scores.parquet")
    notes = scores.dropna(subset="p_value").groupby("model")["statistics_note"].agg(" ".join)
    few, unknown = "random words for each target word: among", "the words of the model are is not"
    assert {model: (few in note, unknown in note) for model, note in notes.items()} == {
        "first": (True, False),
        "first-normalised": (True, False),
        "second": (False, True),
    }


def test_a_single_file_is_a_target(fresh: Project):
    fresh.run("results/scores/first/weat/noise.parquet")
    assert [str(p.name) for p in Path(fresh.folder / "results/scores").rglob("*.parquet")] == [
        "noise.parquet"
    ]
