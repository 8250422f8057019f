"""`fairflow new` writes what a page shows, with another name, and never over a file."""

from pathlib import Path

import pytest
import yaml
from shipped import plan_of
from site_cells import cells, files

from fairflow.command.parser import main
from fairflow.command.project import KINDS, template

ROOT = Path(__file__).parents[3]
NAMES = {"query": "care", "metric": "distance", "study": "two_tables", "transform": "centred"}


def shown(kind: str) -> list[tuple[str, str]]:
    """The files of a page up to its first command, as the tests of the site find them."""
    page = (ROOT / f"workflow/site/pages/write/{kind}.md").read_text()
    before = page.partition("```sh")[0]
    return [(path, text) for cell in cells(before) for path, _, text in files(cell.with_file)]


@pytest.mark.parametrize("kind", KINDS)
def test_with_the_name_of_the_page_it_writes_the_files_of_the_page(kind: str):
    written, command = template(kind, NAMES[kind])
    assert command == f"make run STUDY={NAMES[kind]}"
    assert [(path, text.strip()) for path, text in written] == [
        (path, text.strip()) for path, text in shown(kind)
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_what_it_writes_is_a_study_that_can_be_planned(
    kind: str, project: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["new", kind, "xyz"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert last == "Edit them, then run: make run STUDY=xyz"
    for line in lines:
        assert (project / line.split()[-1]).is_file()
    assert len(plan_of("xyz", project / "config").cells) > 0


@pytest.mark.parametrize("kind", KINDS)
def test_it_overwrites_nothing(kind: str, project: Path, capsys: pytest.CaptureFixture[str]):
    main(["new", kind, "xyz"])
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    assert main(["new", kind, "xyz"]) == 2
    assert "exists already: choose another name" in capsys.readouterr().err
    assert before == {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}


def test_an_entry_is_added_behind_those_that_are_there(project: Path):
    path = project / "config/models.yaml"
    before = path.read_text()
    main(["new", "transform", "xyz"])
    assert path.read_text().startswith(before)
    assert yaml.safe_load(path.read_text())["glove-6B-50d-xyz"]["derive"]["from"] == "glove-6B-50d"


def test_a_catalogue_behind_which_no_entry_can_be_added_stays(project: Path):
    path = project / "config/models.yaml"
    path.write_text(before := f"{path.read_text()}...\n")
    assert main(["new", "transform", "xyz"]) == 2
    assert path.read_text() == before
    assert not [*project.rglob("xyz*")]


@pytest.mark.parametrize("name", ["my-query", "2nd", "class", "a b", "../x", "é"])
def test_a_name_that_no_file_and_entry_may_have_is_refused(name: str, project: Path, capsys):
    assert main(["new", "metric", name]) == 2
    assert "use letters, digits and _" in capsys.readouterr().err


def test_outside_a_project_it_says_where_to_call_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "study", "xyz"]) == 2
    assert "has no config/models.yaml: call fairflow new in the folder" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]
