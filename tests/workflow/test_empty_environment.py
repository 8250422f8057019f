"""Without `make`: a user's environment has the workflow's packages, or hears what is missing."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from project import ENVIRONMENT, ROOT, Project, copy_workflow

pytestmark = pytest.mark.workflow


def test_the_two_lines_of_the_readme_lead_to_a_plan_in_an_empty_environment(tmp_path: Path):
    copy_workflow(tmp_path / "clone", ROOT / "config")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / "clone")
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "empty"], check=True)

    def typed(line: str) -> subprocess.CompletedProcess[str]:
        command = ["sh", "-c", f". ../empty/bin/activate && {line}"]
        how = {"cwd": tmp_path / "clone", "env": ENVIRONMENT | {"PYTHONPATH": ""}}
        return subprocess.run(command, **how, capture_output=True, text=True, check=False)

    if typed("pip download --quiet --retries 0 --no-deps --dest wheels isal").returncode:
        pytest.skip("no package index can be reached")
    shown = re.findall(
        r"^(pip install '\.\[[^#\n]*|snakemake .*)", (ROOT / "README.md").read_text(), re.M
    )
    install, run = shown
    installed = typed(install)
    assert installed.returncode == 0, installed.stderr
    planned = typed(f"{run} --dry-run")
    assert re.search(r"^score_queries +\d{2,3}$", planned.stdout, re.M), planned.stderr


def test_a_missing_package_is_answered_with_the_line_that_installs_it(
    fresh: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    missing = "raise ModuleNotFoundError(\"No module named 'isal'\", name='isal')"
    (tmp_path / "isal.py").write_text(missing)
    monkeypatch.setitem(ENVIRONMENT, "PYTHONPATH", str(tmp_path))
    output = fresh.run("--dry-run", check=False)
    assert output.returncode != 0
    assert re.search(r"'isal' in .*: install .* with pip install '\.\[workflow\]'", output.stdout)
    assert "Traceback" not in output.stdout
