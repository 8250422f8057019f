"""A benchmark of one's own, as config/README.md says: from a table, and out of a wheel."""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from pathlib import Path

import pandas as pd
import pytest
import yaml
from site_cells import cells, files

from language_project import SWITCH, with_language_models, write
from project import ENVIRONMENT, ROOT, Project, make_project

pytestmark = [pytest.mark.torch, pytest.mark.workflow]

STUDY, MODEL = "my_benchmark", "smollm2-135m-instruct"
ASKED = ("language_models", *SWITCH, f"language_studies=[{STUDY}]")
SCORES = f"results/studies/{STUDY}/scores.parquet"
WHEEL, MEMBER = "my_pairs-1.0-py3-none-any.whl", "my_pairs/pairs.csv"


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
def followed_once(told: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The project of a reader who has saved the files and run the study, not to be changed.

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


@pytest.fixture
def followed(followed_once: Project, tmp_path: Path) -> Project:
    """A copy of it."""
    shutil.copytree(followed_once.folder, tmp_path / "project", symlinks=True)
    return Project(tmp_path / "project")


def publish(project: Project, index: Path, **changes: object) -> None:
    """Put the table into a wheel of an index, and name that in the query."""
    with zipfile.ZipFile(index / WHEEL, "w") as wheel:
        wheel.write(project.folder / "data/my_pairs.csv", MEMBER)
        wheel.writestr("my_pairs/__init__.py", "raise SystemExit('code of the package ran')")
        about = "Metadata-Version: 2.1\nName: my-pairs\nVersion: 1.0\n"
        wheel.writestr("my_pairs-1.0.dist-info/METADATA", about)
        kind = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        wheel.writestr("my_pairs-1.0.dist-info/WHEEL", kind)
        wheel.writestr("my_pairs-1.0.dist-info/RECORD", "")
    name_published(project, index, **changes)


def name_published(project: Project, index: Path, **changes: object) -> None:
    digits = hashlib.sha256((index / WHEEL).read_bytes()).hexdigest()
    published = {
        "format": "crows_pairs",
        "sources": [{"pypi": "my-pairs==1.0"}],
        "checksum": f"sha256:{digits}",
        "archive": "zip",
        "member": MEMBER,
    }
    entry = {"published": published, "items": 8, "licence": "CC0", "origin": "ours"} | changes
    file = project.folder / "config/language_queries/mine.yaml"
    file.write_text(yaml.safe_dump({"queries": {"my_pairs": entry}}, sort_keys=False))


def test_the_steps_of_the_page_lead_to_a_figure_and_a_value_of_every_pair(followed: Project):
    for name in ("item_scores.png", "item_scores.svg", "item_scores.pdf"):
        assert (followed.folder / f"results/figures/{STUDY}/{name}").stat().st_size > 1000
    scores = pd.read_parquet(followed.folder / SCORES)
    (row,) = scores[scores["is_primary"]].to_dict("records")
    assert (row["model"], row["query"], row["status"]) == (MODEL, "my_pairs", "ok")
    values = pd.read_csv(
        followed.folder / f"results/item_scores/{MODEL}/crows_pairs_sum/my_pairs.csv"
    )
    assert values["category"].value_counts().to_dict() == {"care": 4, "machines": 2, "work": 2}
    assert row["value"] == 100 * (values["difference"] > 0).mean() - 50


def test_the_same_items_out_of_a_wheel_are_fetched_once_as_data_and_give_the_same_scores(
    followed: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    before = pd.read_parquet(followed.folder / SCORES)
    monkeypatch.setitem(ENVIRONMENT, "PIP_NO_INDEX", "1")
    monkeypatch.setitem(ENVIRONMENT, "PIP_FIND_LINKS", str(tmp_path))
    publish(followed, tmp_path)
    planned = followed.planned(*ASKED)
    assert planned["download_file"] == planned["materialise_items"] == 1
    followed.run("results/items/my_pairs.json", *ASKED[1:])
    monkeypatch.setitem(ENVIRONMENT, "PIP_FIND_LINKS", "/nowhere")
    followed.run(*ASKED)
    pd.testing.assert_frame_equal(pd.read_parquet(followed.folder / SCORES), before)
    assert followed.planned(*ASKED) == {}
    # Its description and its sources change no item.
    name_published(followed, tmp_path, note="Ours.", faults=["few"])
    assert "materialise_items" not in followed.planned(*ASKED)
    name_published(followed, tmp_path, items=9)
    told = followed.run(*ASKED, check=False).stdout
    assert f"items: 9 are promised, but 8 are in {MEMBER}" in told
