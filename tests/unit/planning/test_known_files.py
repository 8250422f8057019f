"""A file of the configuration that was found as its schema demands is not checked again."""

import atexit
from pathlib import Path

import pytest

from fairflow.errors import ConfigurationError
from fairflow.files.memory import Memory
from fairflow.planning import configuration
from fairflow.planning.configuration import read_checked

SCHEMAS = Path(__file__).parents[3] / "workflow/schemas"


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Read a file as a process does, to its end: its contents, and what had to be checked."""
    memory = tmp_path / ".snakemake/known.json"

    def ask(path: Path, schema: str = "lookups", state: str = "code"):
        checked, ends = [], []
        monkeypatch.setattr(atexit, "register", ends.append)
        known = Memory(memory, state)
        usual = configuration.shape_problems
        with monkeypatch.context() as patch:
            patch.setattr(configuration, "_known", lambda _: known)
            told = lambda *given: checked.append(given[1]) or usual(*given)  # noqa: E731
            patch.setattr(configuration, "shape_problems", told)
            contents = read_checked(path, schema, SCHEMAS)
        for end in ends:
            end()
        return contents, checked

    ask.memory = memory
    return ask


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "lookups.yaml"
    entry = "{preprocessors: [{lowercase: true}], strategy: first, lost_vocabulary_threshold: 0.2}"
    path.write_text(f"usual: {entry}\n")
    return path


def test_a_known_file_is_not_checked_and_has_the_same_contents(read, file):
    first, checked = read(file)
    assert checked == ["lookups"]
    again, checked = read(file)
    assert (again, checked) == (first, [])


def test_a_changed_file_another_schema_or_other_code_is_checked(read, file):
    read(file)
    assert read(file, state="newer")[1] == ["lookups"]
    file.write_text(file.read_text().replace("true", "false"))
    assert read(file, state="newer")[1] == ["lookups"]
    with pytest.raises(ConfigurationError):
        read(file, "presets", "newer")


def test_a_fault_is_told_each_time(read, file):
    file.write_text("usual:\n  unknown: 1\n")
    for _ in range(2):
        with pytest.raises(ConfigurationError, match="unknown key 'unknown'"):
            read(file)


def test_a_damaged_memory_counts_for_nothing(read, file):
    contents, _ = read(file)
    damaged = read.memory.read_bytes().replace(b"0.2", b"0.3")
    assert damaged != read.memory.read_bytes()
    read.memory.write_bytes(damaged)
    assert read(file) == (contents, ["lookups"])
    assert read(file) == (contents, [])


def test_a_memory_that_cannot_be_written_is_no_error(read, file):
    read.memory.parent.write_text("a file where the folder would be")
    for _ in range(2):
        assert read(file)[1] == ["lookups"]
