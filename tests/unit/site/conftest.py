"""The site as `make site` builds it from a clone without results."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SHARED = ("CHANGELOG.md", "config", "scripts", "tests")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site."""
    clone = tmp_path_factory.mktemp("clone")
    for folder in SHARED:
        (clone / folder).symlink_to(ROOT / folder)
    (clone / "workflow").mkdir()
    for path in (ROOT / "workflow").iterdir():
        (clone / "workflow" / path.name).symlink_to(path)
    built = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict"]
    command += ["--config-file", "workflow/site/mkdocs.yml", "--site-dir", str(built)]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "scripts"), "NO_MKDOCS_2_WARNING": "1"}
    run = subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return built
