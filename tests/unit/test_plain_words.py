"""The check of words reads prose: comments, docstrings and messages, no names and no values."""

from pathlib import Path
from runpy import run_path

import pytest

CHECK = run_path(str(Path(__file__).parents[2] / "workflow/plain_words.py"))
STUMBLES = CHECK["stumbles"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('"""The words beside it."""', True),
        ("# It is gone.", True),
        ("# Besides, it is there.", True),
        ("# Its value is None.", False),
        ('raise ValueError(f"gone are {words}")', True),
        ('words = ["gone", "beside"]', False),
        ('print(f"a table of {options.beside:>11}")', False),
        ("gone = beside", False),
        ("# Next to it.", False),
        ("# The column `told`.", False),
        ("# It is gone.  # plain-words: quoted", False),
    ],
)
def test_a_stumble_is_found_in_prose_alone(line: str, found: bool, tmp_path: Path):
    path = tmp_path / "made_up.py"
    path.write_text(f"{line}\n", encoding="utf-8")
    assert bool([*STUMBLES(path)]) is found
