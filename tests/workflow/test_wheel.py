"""The wheel of a release runs the first blocks of the README, which show what they print."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from site_cells import cells

from project import ROOT, copy_workflow

pytestmark = pytest.mark.workflow


def wheel(folder: Path) -> Path:
    """Built from a copy, as building leaves files."""
    pip = [sys.executable, "-m", "pip"]
    backend = [*pip, "download", "--no-deps", "--dest", str(folder / "backend"), "setuptools>=77"]
    if subprocess.run(backend, capture_output=True).returncode:
        pytest.skip("no package index can be reached")
    copy_workflow(folder / "clone", ROOT / "config")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / "clone")
    build = [*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(folder / "clone")]
    subprocess.run(build, check=True, capture_output=True)
    (made,) = folder.glob("fairflow_nlp-*.whl")
    return made


def test_the_first_command_and_the_python_of_the_readme_run_as_pasted(tmp_path: Path):
    blocks = cells((ROOT / "README.md").read_text(encoding="utf-8"))
    first, console, python = (
        next(b.text for b in blocks if b.language == one) for one in ("sh", "console", "python")
    )
    assert "pip install ." in first
    (tmp_path / "readme.py").write_text(python)
    lines = ["set -e", first.replace("pip install .", f"pip install {wheel(tmp_path)}")]
    lines += ["fairflow list queries >queries.txt", "python -P readme.py"]
    command, _, printed_there = console.removeprefix("$ ").partition("\n")
    lines += [f"{command} >three.txt", "command -v fairflow", "fairflow --version"]
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    environment |= {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PIP_NO_COMPILE": "1"}
    environment |= {"PIP_CACHE_DIR": str(Path.home() / ".cache/pip"), "PIP_PROGRESS_BAR": "off"}
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    options = {"capture_output": True, "text": True, "cwd": tmp_path, "env": environment}
    ran = subprocess.run(["bash", "-c", "\n".join(lines)], check=False, **options)
    assert ran.returncode == 0, ran.stderr
    *scores, heads, first, _, command, version = ran.stdout.splitlines()[-16:]
    for head, line in ((scores[0], scores[6]), (heads, first)):
        assert head.split()[0] == "sets"
        assert re.match(r"Male names, Female names - Career, Family  +1.89 ", line)
    assert (tmp_path / "weat.png").stat().st_size > 0
    assert command == str(tmp_path / ".venv-fairflow/bin/fairflow")
    assert f'version = "{version.split()[1]}"' in (ROOT / "pyproject.toml").read_text()
    assert (tmp_path / "three.txt").read_text() == printed_there
    # The configuration in the wheel is that of the clone.
    here = [sys.executable, "-m", "fairflow", "list", "queries"]
    environment["PYTHONPATH"] = str(ROOT / "scripts")
    listed = subprocess.run(here, check=True, **(options | {"cwd": ROOT})).stdout
    assert (tmp_path / "queries.txt").read_text() == listed
