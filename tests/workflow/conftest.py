"""Toy projects before and after a run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from project import Project, make_project


@pytest.fixture
def fresh(tmp_path: Path) -> Project:
    """The toy project, nothing run yet."""
    return make_project(tmp_path / "fresh")


@pytest.fixture(scope="session")
def finished_once(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The toy project after a run; not to be changed."""
    project = make_project(tmp_path_factory.mktemp("toy") / "project")
    project.run()
    return project


@pytest.fixture
def finished(finished_once: Project, tmp_path: Path) -> Project:
    """A copy, with its dates, of the toy project after a run."""
    folder = tmp_path / "project"
    shutil.copytree(finished_once.folder, folder)
    return Project(folder)
