"""Which jobs an edit brings about, and that one run does them all."""

import shutil

import pandas as pd
import pytest

from fairflow.scores.ranked import ranked_rows
from project import Project

pytestmark = pytest.mark.workflow

MODELS, METRICS = 3, 3
PRODUCTS = {
    "tabulate_toy": 1,
    "write_ledger": 1,
    "verify_published": 1,
    "plot_toy": 1,
    "describe_run": 1,
    "record_checksums": 1,
}


def completes(project: Project) -> dict[str, set[tuple[int, int]]]:
    """One run does everything; a second finds nothing to do.

    By rule, how many of how many cells its jobs computed.
    """
    cells = project.computed()
    assert project.planned() == {}
    return {rule: set(jobs.values()) for rule, jobs in cells.items()}


def test_a_job_has_a_file_of_queries_of_a_model_and_a_metric(fresh: Project):
    assert fresh.planned() == {
        "convert_model": 2,
        "derive_model": 1,
        "record_model": MODELS,
        "record_run": 1,
        "write_words": 1,
        "look_up_words": MODELS,
        "score_queries": MODELS * METRICS,
        **PRODUCTS,
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
        "results/words/toy.json",
        "results/slices/first/toy.parquet",
        "scripts/fairflow/metrics/weat.py",
    ):
        (finished.folder / touched).touch()
    assert finished.planned() == {}


WORD = ("config/word_sets/toy.yaml", "frost, hail", "frost, lynx")


def add_query(project: Project) -> None:
    with open(project.folder / "config/queries/toy.yaml", "a") as file:
        file.write(
            "  mixed:\n"
            "    targets: {Cats: toy:cats, Dogs: toy:dogs}\n"
            "    attributes: {Warm: toy:warm, Soft: toy:soft}\n"
        )
    project.edit("config/studies/toy.yaml", "[noise]", "[noise, mixed]")


def test_one_run_computes_the_cells_of_a_new_query_and_of_a_changed_word_and_no_other(
    finished: Project,
):
    add_query(finished)
    finished.edit(*WORD)
    assert finished.planned() == {
        "write_words": 1,
        "record_run": 1,
        "look_up_words": MODELS,
        "score_queries": MODELS * METRICS,
        **PRODUCTS,
    }
    of_two_queries = {(2, 3)}
    assert completes(finished) == {"look_up_words": of_two_queries, "score_queries": of_two_queries}


def test_sets_that_change_places_change_the_sign_of_a_score(finished: Project):
    def value() -> float:
        scores = ranked_rows(pd.read_csv(finished.folder / "results/studies/toy/scores.csv"))
        own = scores[(scores["query"] == "temperature") & (scores["metric"] == "weat")]
        return own.groupby("model")["value"].first()["first"]

    before = value()
    sets = "{Warm: toy:warm, Cold: toy:cold}", "{Cold: toy:cold, Warm: toy:warm}"
    finished.edit("config/queries/toy.yaml", *sets)
    assert completes(finished) == {"look_up_words": {(1, 2)}, "score_queries": {(1, 2)}}
    assert value() == -before != 0


def test_one_run_does_all_although_slices_were_deleted(finished: Project):
    # Changed params together with missing intermediate files once left new work undone.
    shutil.rmtree(finished.folder / "results/slices")
    add_query(finished)
    assert completes(finished) == {"look_up_words": {(3, 3)}, "score_queries": {(1, 3)}}


def test_a_query_that_leaves_a_study_and_comes_back_is_not_computed_again(finished: Project):
    before = finished.contents("results/scores")
    finished.edit("config/studies/toy.yaml", "  Sound: [noise]\n", "")
    assert completes(finished) == {"look_up_words": {(0, 1)}, "score_queries": {(0, 1)}}
    finished.edit("config/studies/toy.yaml", "criteria:\n", "criteria:\n  Sound: [noise]\n")
    assert completes(finished) == {"look_up_words": {(0, 2)}, "score_queries": {(0, 2)}}
    assert finished.contents("results/scores") == before


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
    assert "score_queries" not in planned
    assert planned["tabulate_toy"] == 1


def test_one_run_follows_a_parameter_a_source_and_a_published_number(finished: Project):
    for edit in (PARAMETER, SOURCE, NUMBER):
        finished.edit(*edit)
    assert finished.planned()["score_queries"] == 2 * MODELS
    assert completes(finished) == {"score_queries": {(2, 2)}}


def test_another_measure_or_side_of_a_variant_reruns_no_cell(finished: Project):
    finished.edit(
        "config/metrics.yaml", "measure: weat", "measure: effect_size\n  alternative: greater"
    )
    assert "score_queries" not in finished.planned()
    with open(finished.folder / "config/metrics.yaml", "a") as file:
        file.write(
            "weat_es:\n  metric: weat\n  measure: effect_size\n  parameters: {convention: wefe}\n"
        )
    finished.edit("config/studies/toy.yaml", "[weat, rnd, rnsb]", "[weat, weat_es, rnd, rnsb]")
    assert "score_queries" not in finished.planned()
    completes(finished)
    scores = ranked_rows(pd.read_csv(finished.folder / "results/studies/toy/scores.csv"))
    sides = scores.groupby("metric")["alternative"].unique().map(list)
    assert (sides["weat"], sides["weat_es"]) == (["greater"], ["two-sided"])


def test_seed_reruns_all_that_draws_and_without_statistics_few_metrics_do(finished: Project):
    finished.edit("config/config.yaml", "seed: 1", "seed: 2")
    planned = finished.planned()
    assert planned["look_up_words"] == MODELS
    assert planned["score_queries"] == MODELS * METRICS
    finished.edit("config/config.yaml", "seed: 2", "seed: 1")
    assert finished.planned() == {}
    with open(finished.folder / "config/studies/toy.yaml", "a") as file:
        file.write("statistics: none\n")
    completes(finished)
    finished.edit("config/config.yaml", "seed: 1", "seed: 2")
    assert finished.planned() == {
        "score_queries": MODELS,
        "record_run": 1,
        **PRODUCTS,
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
    assert finished.planned()["score_queries"] == MODELS * METRICS


def change_local_vectors(project: Project) -> None:
    path = project.folder / "data/second.txt"
    path.write_text(path.read_text().replace("lynx", "panther"))


def test_changed_local_vectors_rerun_their_model(finished: Project):
    change_local_vectors(finished)
    planned = finished.planned()
    assert planned["convert_model"] == 1
    assert planned["score_queries"] == METRICS


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
        "record_model": 1,
        "record_run": 1,
        "look_up_words": 1,
        "score_queries": METRICS,
        **PRODUCTS,
    }
    change_local_vectors(finished)
    completes(finished)


def test_the_order_of_a_model_is_that_of_its_twin_and_remakes_no_vectors(finished: Project):
    finished.edit("config/models.yaml", "first:\n", "first:\n  order: frequency\n")
    planned = finished.planned()
    assert (planned["record_model"], planned["look_up_words"]) == (2, 2)
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
    target = "results/scores/first/weat/toy.parquet"
    fresh.run(target)
    assert [*fresh.contents("results/scores")] == [target]
