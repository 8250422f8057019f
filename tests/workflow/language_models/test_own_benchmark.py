"""A benchmark of one's own, as config/README.md says, from a table."""

import pandas as pd
import pytest
from language_project import SWITCH, with_language_models, write
from site_cells import cells, files

from fairflow.language_models.cells.item_score_files import read_item_scores
from fairflow.scores.ranked import ranked_rows
from project import ROOT, Project, make_project

pytestmark = [pytest.mark.torch, pytest.mark.workflow]

STUDY, MODEL = "my_benchmark", "smollm2-135m-instruct"
ASKED = ("language_models", *SWITCH, f"language_studies=[{STUDY}]")
SCORES = f"results/studies/{STUDY}/scores.parquet"


@pytest.fixture(scope="module")
def told() -> dict[str, str]:
    """Path -> text of the files of the page's four steps."""
    page = (ROOT / "config/introduction.md").read_text("utf-8")
    steps = page.partition("\n## A benchmark of your own\n")[2].partition("\n**One that others")[0]
    shown = [file for cell in cells(steps) for file in files(cell.with_file)]
    (table,) = [cell.text for cell in cells(steps) if cell.language == "csv"]
    (command,) = [cell.text for cell in cells(steps) if cell.language == "sh"]
    assert command == f"make run-lm STUDY={STUDY}\n"
    assert "`data/my_pairs.csv`; a cluster" in steps
    return {"data/my_pairs.csv": table} | {path: text for path, _, text in shown}


@pytest.fixture(scope="module")
def followed(told: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The project of a reader who has saved the files and run the study.

    A small model has the name of the page's.
    """
    project = with_language_models(make_project(tmp_path_factory.mktemp("own") / "project"))
    models = {MODEL: {"kind": "causal", "folder": "data/small-causal"}}
    write(project.folder / "config/language_models.yaml", models)
    (project.folder / "config/studies/language.yaml").unlink()
    for path, text in told.items():
        (project.folder / path).parent.mkdir(exist_ok=True)
        (project.folder / path).write_text(text)
    project.run(*ASKED)
    return project


def test_the_steps_of_the_page_lead_to_a_figure_and_a_value_of_every_pair(followed: Project):
    for name in ("item_scores.png", "item_scores.svg"):
        assert (followed.folder / f"results/figures/{STUDY}/{name}").stat().st_size > 1000
    scores = pd.read_parquet(followed.folder / SCORES)
    (row,) = ranked_rows(scores).to_dict("records")
    assert (row["model"], row["query"], row["status"]) == (MODEL, "my_pairs", "ok")
    place = f"results/item_scores/{MODEL}/crows_pairs_sum/mine.parquet"
    values = pd.DataFrame(
        read_item_scores([followed.folder / place])[MODEL, "crows_pairs_sum", "my_pairs"]
    )
    assert values["category"].value_counts().to_dict() == {"care": 4, "machines": 2, "work": 2}
    assert row["value"] == 100 * (values["difference"] > 0).mean() - 50
