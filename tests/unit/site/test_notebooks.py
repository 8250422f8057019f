"""A notebook of the site shows what its cells show when they are run."""

import re
from pathlib import Path

import pytest
from notebooks import NOTEBOOKS, read, run, shown
from site_cells import cells, commands, faults_of_command

DECIMAL = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?")


def with_needs(path: Path):
    needs_torch = "language_models.inference" in str(read(path))
    return pytest.param(path, id=path.stem, marks=[pytest.mark.torch] * needs_torch)


def parts(texts: list[str]) -> tuple[list[str], list[float]]:
    """What lies between decimal numbers, and these: networks round otherwise on another machine."""
    text = "\0".join(texts)
    return DECIMAL.split(text), [float(number) for number in DECIMAL.findall(text)]


@pytest.mark.parametrize("path", map(with_needs, NOTEBOOKS))
def test_the_outputs_of_a_notebook_are_those_of_a_run(path: Path, monkeypatch, tmp_path):
    notebook = read(path)
    monkeypatch.chdir(tmp_path)
    (texts, numbers), (expected, wanted) = parts(shown(run(path))), parts(shown(notebook))
    assert texts == expected
    assert numbers == pytest.approx(wanted, rel=1e-3)
    assert any(shown(notebook))


def test_each_way_in_has_a_notebook_that_is_read_in_minutes():
    assert {path.stem for path in NOTEBOOKS} == {"wefe", "encoder", "texts", "own"}
    assert max(len(read(path).cells) for path in NOTEBOOKS) <= 15


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_commands_of_a_notebook_exist(path: Path):
    text = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    found = [line for cell in cells(text) if cell.language == "sh" for line in commands(cell)]
    assert not [fault for line in found for fault in faults_of_command(line, set())]
