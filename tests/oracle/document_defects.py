"""DEFECTS.md: what WEFE does wrong and what fairflow does about it, out of defects.yaml.

Run as `python tests/oracle/document_defects.py`.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
PAGE = FOLDER / "DEFECTS.md"
# Heading -> whose code it is about, and the numbers in the order of the page.
GROUPS = {
    "Wrong numbers": ("WEFE 1.0.1", (*range(1, 17), 46, *range(17, 22))),
    "Wrong or misleading data": ("WEFE 1.0.1", range(27, 33)),
    "Debiasing": ("WEFE 1.0.1", (*range(22, 27), *range(47, 53), 57, 58, 59)),
    "Debiasing in the code of its authors and in other packages": (
        "authors' code, Responsibly 0.1.2",
        range(53, 57),
    ),
    "Interface and documentation": ("WEFE 1.0.1", range(33, 46)),
}
INTRODUCTION = """\
<!-- python tests/oracle/document_defects.py writes this page from defects.yaml -->
# Defects of WEFE 1.0.1

These are 55 places where WEFE 1.0.1 computes, stores or documents something wrong, and 4 where
other code does that debiases, with what fairflow does there; `defects.yaml` names the tests that
show it. The rule is WEFE's number wherever WEFE is right, and the right number where it is wrong. A
switch chooses between readings that both have a meaning, or gives the published numbers of a study;
none brings a plain bug back.

Where two readings have a meaning, `fairflow.wefe` takes WEFE's by default and `fairflow` that of
the papers (D1, D34, D46). For the rest both compute alike, so that this page also lists what
differs in a notebook that is ported by writing `fairflow.wefe` for `wefe`.
"""


def read_defects() -> dict[str, dict[str, Any]]:
    """The reviewed table: number -> title, wefe, ours, switch, tests."""
    return yaml.safe_load((FOLDER / "defects.yaml").read_text(encoding="utf-8"))


def page(defects: Mapping[str, Mapping[str, Any]]) -> str:
    """The introduction, then a table for each group of defects."""
    return "\n".join([INTRODUCTION, *(_table(title, defects) for title in GROUPS)])


def _table(group: str, defects: Mapping[str, Mapping[str, Any]]) -> str:
    whose, numbers = GROUPS[group]
    rows = [_row(f"D{number}", defects[f"D{number}"]) for number in numbers]
    header = [f"| No. | {whose} | fairflow | switch |", "| --- | --- | --- | --- |"]
    return "\n".join([f"## {group}\n", *header, *rows]) + "\n"


def _row(number: str, defect: Mapping[str, Any]) -> str:
    cells = (
        f"{number} {defect['title']}",
        defect["wefe"],
        defect["ours"],
        defect.get("switch", ""),
    )
    # A bar would end the cell.
    escaped = (cell.replace("|", r"\|") for cell in cells)
    return f"| {' | '.join(escaped)} |".replace("|  |", "| |")


if __name__ == "__main__":
    # Without fairflow's atomic_path: a plain checkout does not have the library on its path.
    temporary = PAGE.with_name(f".{PAGE.name}.{os.getpid()}")
    try:
        temporary.write_text(page(read_defects()), encoding="utf-8")
        os.replace(temporary, PAGE)
    finally:
        temporary.unlink(missing_ok=True)
