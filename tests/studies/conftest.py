"""One run of the default studies, for all tests of them."""

from pathlib import Path

import pytest
from run_of_studies import OF_README

from project import ROOT, Project, copy_workflow


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of `make run` and `make ledger` in a separate folder, downloads included."""
    folder = tmp_path_factory.mktemp("default") / "project"
    copy_workflow(folder, ROOT / "config")
    project = Project(folder)
    project.run("all", *(f"results/figures/{made}.svg" for made in OF_README.values()))
    assert project.planned() == {}
    (folder / "results/ledger.md").rename(folder / "ledger_of_make_run.md")
    project.run("--config", "ledger=True", "--", "all")
    assert project.planned("--config", "ledger=True", "--", "all") == {}
    return folder / "results"
