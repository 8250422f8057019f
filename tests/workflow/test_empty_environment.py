"""Without `make`: a user's environment has the packages of the workflow, or is told of them."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from project import ENVIRONMENT, ROOT, Project, copy_workflow

pytestmark = pytest.mark.workflow

LINES = re.findall(r"^(?:pip install '\.\[|snakemake ).*$", (ROOT / "README.md").read_text(), re.M)


def test_the_two_lines_of_the_readme_lead_to_a_plan_in_an_empty_environment(tmp_path: Path):
    folder = tmp_path / "clone"
    copy_workflow(folder, ROOT / "config")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "empty"], check=True)

    def typed(line: str) -> subprocess.CompletedProcess[str]:
        activated = f". {tmp_path}/empty/bin/activate && {line}"
        return subprocess.run(
            ["sh", "-c", activated],
            cwd=folder,
            env=ENVIRONMENT | {"PYTHONPATH": ""},
            capture_output=True,
            text=True,
            check=False,
        )

    if typed("pip download --quiet --retries 0 --no-deps --dest wheels threadpoolctl").returncode:
        pytest.skip("no package index can be reached")
    install, run = (line.partition("#")[0] for line in LINES)
    installed = typed(install)
    assert installed.returncode == 0, installed.stderr
    planned = typed(f"{run} --dry-run")
    assert planned.returncode == 0, planned.stderr
    assert re.search(r"^score_query +\d{3}$", planned.stdout + planned.stderr, re.M)


def test_a_missing_package_is_answered_with_the_line_that_installs_it(
    fresh: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    missing = "raise ModuleNotFoundError(\"No module named 'isal'\", name='isal')"
    (tmp_path / "isal.py").write_text(missing)
    monkeypatch.setitem(ENVIRONMENT, "PYTHONPATH", str(tmp_path))
    output = fresh.run("--dry-run", check=False)
    assert output.returncode != 0
    assert f"No module named 'isal' in {sys.executable}" in output.stdout
    assert "pip install '.[workflow]'" in output.stdout
    assert "Traceback" not in output.stdout
