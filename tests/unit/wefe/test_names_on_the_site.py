"""The names that the page "Coming from WEFE" sets beside WEFE's are there."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from fairflow.wefe.former_names import RENAMED

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


def test_the_table_of_former_names_is_complete():
    table = PAGE.partition("| WEFE 0.2.2 | now |")[2].partition("\n\n")[0]
    rows = [row.strip("| ").split(" | ") for row in table.splitlines()[2:]]
    former = {name for renamed in RENAMED.values() for name in renamed}
    # In the two releases between the names ended in _options.
    shown = {name for old, _ in rows for name in re.findall(r"[a-z_]{5,}", old)} & former
    assert former - shown == {"preprocessor_options", "secondary_preprocessor_options"}
    for old, present in rows:
        names = {name for renamed in RENAMED.values() for name in renamed.items()}
        listed = re.findall(r"`(\w+)`", present)
        for name in former & set(re.findall(r"\w+", old)):
            assert {now for was, now in names if was == name} <= set(listed)
