"""The names that the page "Coming from WEFE" compares with WEFE's exist."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[3] / "workflow/site/pages/wefe.md").read_text(encoding="utf-8")
SED = re.search(r"^sed .* notebook\.py$", PAGE, re.MULTILINE)[0]
IMPORTS = re.findall(r"^\| `(from wefe.*)` \| `(from fairflow.*)` \|$", PAGE, re.MULTILINE)


def after_sed(text: str, folder: Path) -> str:
    """What the page's command makes of a script."""
    script = folder / "notebook.py"
    script.write_text(text, encoding="utf-8")
    subprocess.run(shlex.split(SED), cwd=folder, check=True)
    return script.read_text(encoding="utf-8")


@pytest.mark.parametrize(("theirs", "ours"), IMPORTS)
def test_a_line_becomes_ours_by_the_sed_line_and_runs(theirs: str, ours: str, tmp_path: Path):
    assert after_sed(f"{theirs}\n", tmp_path) == f"{ours}\n"
    exec(ours, {})


def test_the_sed_line_replaces_every_use_of_the_package_and_no_other_name(tmp_path: Path):
    text = "import wefe\nq = wefe.Query(wefe.sets)\nmy_wefe = wefes = my.wefe\n"
    ours = "import fairflow.wefe\nq = fairflow.wefe.Query(fairflow.wefe.sets)\n"
    assert after_sed(text, tmp_path) == f"{ours}my_wefe = wefes = my.wefe\n"
