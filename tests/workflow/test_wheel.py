"""The wheel of a release runs the first blocks of the README in an empty environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from site_cells import cells

from project import ROOT

pytestmark = pytest.mark.workflow
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, as building leaves files."""
    folder = tmp_path_factory.mktemp("wheel")
    backend = [*PIP, "download", "--no-deps", "--dest", str(folder / "backend"), "setuptools>=77"]
    if subprocess.run(backend, capture_output=True).returncode:
        pytest.skip("no package index can be reached")
    for name in ("scripts", "config", "workflow"):
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(ROOT / name, folder / "clone" / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / "clone")
    build = [*PIP, "wheel", "--no-deps", "--wheel-dir", str(folder), str(folder / "clone")]
    subprocess.run(build, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


def test_its_name_is_that_of_the_distribution_and_it_has_the_extras(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        (path,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        told = Parser().parsestr(archive.read(path).decode())
    assert told["Name"] == "fairflow-nlp"
    assert {"workflow", "plots", "language-models"} <= {*told.get_all("Provides-Extra")}


def test_the_first_command_and_the_python_of_the_readme_run_as_pasted(wheel: Path, tmp_path: Path):
    told = {"sh": [], "python": []}
    for cell in cells((ROOT / "README.md").read_text(encoding="utf-8")):
        told.setdefault(cell.language, []).append(cell.text)
    # The other lines of the block need the clone.
    first = told["sh"][0].partition("\n\n")[0]
    assert "pip install ." in first
    pasted = first.replace("pip install .", f"pip install {wheel}")
    (tmp_path / "readme.py").write_text(told["python"][0])
    caches = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    environment |= {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PIP_QUIET": "1"}
    environment |= {"PIP_NO_COMPILE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    environment["PIP_CACHE_DIR"] = os.environ.get("PIP_CACHE_DIR", str(caches / "pip"))
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    script = f"set -e\n{pasted}\npython -P readme.py\ncommand -v fairflow\nfairflow --version"
    options = {"capture_output": True, "text": True, "cwd": tmp_path, "env": environment}
    ran = subprocess.run(["bash", "-c", script], check=False, **options)
    assert ran.returncode == 0, ran.stderr
    head, *scores, python, command, version = ran.stdout.splitlines()
    assert head.split()[0] == "sets"
    assert len(scores) == 10
    assert scores[5].startswith("Male names, Female names - Career, Family ")
    assert scores[5].split()[7] == "1.89"
    assert python == "1.89, p = 0.00016"
    assert command == str(tmp_path / ".venv-fairflow/bin/fairflow")
    assert (
        f'version = "{version.removeprefix("fairflow ")}"' in (ROOT / "pyproject.toml").read_text()
    )
