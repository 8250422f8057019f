"""Toy projects before and after a run."""

import fcntl
import os
import shutil
from pathlib import Path

import pytest

from project import Project, make_project

# The first waits for a cluster most of its time.
LONGEST = ("test_slurm.py", "test_language_models.py", "test_audit.py", "test_repairing.py")


@pytest.fixture
def fresh(tmp_path: Path) -> Project:
    """The toy project, nothing run yet."""
    return make_project(tmp_path / "fresh")


@pytest.fixture(scope="session")
def finished_once(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The toy project after a run; not to be changed."""
    folder = tmp_path_factory.mktemp("toy") / "project"
    shutil.copytree(toy_run(tmp_path_factory.getbasetemp()), folder)
    return Project(folder)


def toy_run(base: Path) -> Path:
    """The folder of the one run that all workers copy; the first to need it makes it."""
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "toy-run"
    done = folder.with_suffix(".done")
    with open(folder.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            make_project(folder).run()
            done.touch()
    return folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whole runs first, the longest before all: what is short fills the gaps at the end."""

    def place(item: pytest.Item) -> tuple[bool, int]:
        name = item.path.name
        order = LONGEST.index(name) if name in LONGEST else len(LONGEST)
        return item.get_closest_marker("workflow") is None, order

    items.sort(key=place)


@pytest.fixture
def finished(finished_once: Project, tmp_path: Path) -> Project:
    """A copy, with its dates, of the toy project after a run."""
    folder = tmp_path / "project"
    shutil.copytree(finished_once.folder, folder)
    return Project(folder)


@pytest.fixture
def done(run_once: Project, tmp_path: Path) -> Project:
    """A copy of the project of a module after its run."""
    shutil.copytree(run_once.folder, tmp_path / "project", symlinks=True)
    return Project(tmp_path / "project")
