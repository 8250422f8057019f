"""`fairflow export` writes every form of a study in the folder of a run, or says what to do."""

import json
from pathlib import Path

import pandas as pd
import pytest

from fairflow import load_query, load_test_model
from fairflow.command.parser import main
from fairflow.command.project import project_here
from fairflow.files.configuration_files import shipped_schemas
from fairflow.files.parquet import write_parquet_rows
from fairflow.files.tables import read_scores, write_table
from fairflow.queries.lookup import Lookup
from fairflow.scores.records import SCHEMA, plain_row
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import score_cell
from fairflow.scores.word_variant import WordVariant
from fairflow.sharing.exports import FORMS, finished_study
from fairflow.statistics.uncertainty import Statistics
from fairflow.studies.comparability import control_table, with_controls
from fairflow.studies.score_table import tabulate, variant_rows

ROOT = Path(__file__).parents[3]
STUDY, MODEL, QUERY = "weat_replication", "word2vec-google-news-300-weat", "weat_6"
SCORES = Path("results/studies", STUDY, "scores.parquet")


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """Those of one query on the test model, as the workflow tabulates them."""
    words = load_test_model().look_up(load_query(QUERY), Lookup())
    variant = WordVariant("weat", "weat", "weat", {"convention": "both"})
    statistics = Statistics(resamples=200, joint_draws=200)
    cell = Cell(MODEL, "weat", QUERY)
    path = tmp_path_factory.mktemp("scores") / "weat_6.parquet"
    records = score_cell(words, variant, cell, 1, statistics)
    write_parquet_rows([*map(plain_row, records)], SCHEMA, path)
    view = WordVariant("weat_es", "weat", "effect_size", {"convention": "wefe"}).view
    rows = variant_rows(read_scores([path]), {"weat_es": {"computed": "weat", **view}}, [QUERY])
    rows = with_controls(rows, control_table(rows.iloc[:0], {}), {}, [])
    return tabulate(rows.assign(fair=0.0), {"WEAT": [QUERY]}, {QUERY: "Names"}, ["model"])


@pytest.fixture
def run(project: Path, scores: pd.DataFrame) -> Path:
    """With the scores of a run."""
    SCORES.parent.mkdir(parents=True)
    write_table(scores, SCORES)
    return project


def test_every_form_of_a_study_of_words_can_be_made(run):
    project = project_here(checked=False)
    study = finished_study(project.main, project.folder, shipped_schemas(), STUDY)
    for form, texts in ((form, make(study)) for form, make in FORMS.items()):
        (text,) = texts.values()
        assert "Male names" in text, form


def test_a_record_is_written_that_names_the_configuration_and_the_scores_of_the_run(run, capsys):
    assert main(["export", STUDY, "--as", "every-eval-ever"]) == 0
    written = capsys.readouterr().out
    (path,) = Path("results/exports", STUDY).rglob("*.json")
    assert written == f"wrote {path}\n"
    library = json.loads(path.read_text("utf-8"))["eval_library"]
    assert library["name"] == "fairflow"
    identity = library["additional_details"]
    assert {"configuration_sha256", "seed", "scores_sha256"} <= identity.keys()
    assert path.parts[-3:-1] == ("fairflow", MODEL)


def test_a_file_with_other_contents_is_not_overwritten(run, capsys):
    Path(f"{MODEL}.md").write_text("mine")
    assert main(["export", STUDY, "--as", "model-card", "--to", "."]) == 2
    assert f"{MODEL}.md is there with other contents" in capsys.readouterr().err
    assert Path(f"{MODEL}.md").read_text() == "mine"


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (
            [STUDY, "--as", "lm-eval"],
            "there is no form 'lm-eval'. Version 0.2 has removed it. Use every-eval-ever",
        ),
        (["weat_replicatoin", "--as", "model-card"], "Did you mean 'weat_replication'"),
    ],
)
def test_what_cannot_be_exported_is_said_with_what_to_do(asked, says, project, capsys):
    assert main(["export", *asked]) == 2
    assert says in capsys.readouterr().err


def test_a_study_without_results_is_told_the_command_that_makes_them(project, capsys):
    assert main(["export", STUDY, "--as", "model-card"]) == 2
    says = capsys.readouterr().err
    assert f"{SCORES} is missing in this folder: make run STUDY={STUDY}" in says
    assert f"make run-lm STUDY={STUDY}" in says


def test_scores_of_a_metric_that_the_study_no_longer_names_are_refused(run, capsys):
    entry = Path(f"config/studies/{STUDY}.yaml")
    entry.write_text(entry.read_text().replace(", weat_es]", "]", 1))
    assert main(["export", STUDY, "--as", "model-card"]) == 2
    assert "has scores of weat_es, which the study does not name" in capsys.readouterr().err
