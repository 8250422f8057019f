"""A file is written whole or not at all."""

import pytest
from own_process import output_of

from fairflow.files.atomic import atomic_folder, atomic_path


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_file_takes_its_place_when_the_block_ends(tmp_path):
    target = tmp_path / "new" / "folder" / "table.csv"
    with atomic_path(target) as temporary:
        temporary.write_text("whole")
        assert not target.exists()
    assert target.read_text() == "whole"
    assert names(target.parent) == ["table.csv"]


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path):
    target = tmp_path / "table.csv"
    target.write_text("old")

    def write_half():
        with atomic_path(target) as temporary:
            temporary.write_text("ha")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert target.read_text() == "old"
    assert names(tmp_path) == ["table.csv"]


KILLED = """
import os, signal, sys
from fairflow.files.atomic import atomic_folder, atomic_path
with atomic_path(sys.argv[1]) as temporary:
    temporary.write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


KILLED_FOLDER = """
import os, signal, sys
from fairflow.files.atomic import atomic_folder
with atomic_folder(sys.argv[1]) as made:
    (made / "weights").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def left_by_a_killed_process(target):
    """The name of what a process leaves that is killed while it writes a file."""
    before = names(target.parent)
    output_of(KILLED, target, killed=True)
    (left,) = set(names(target.parent)) - set(before)
    return left


def test_what_a_killed_process_left_is_removed_when_the_file_is_written_again(tmp_path):
    target = tmp_path / "a.b"
    left_by_a_killed_process(target)
    of_another = left_by_a_killed_process(tmp_path / "a")
    with atomic_path(target) as temporary:
        temporary.write_text("whole")
        assert names(tmp_path) == sorted([of_another, temporary.name])
    assert names(tmp_path) == [of_another, "a.b"]


def test_what_a_killed_process_left_of_a_folder_is_removed_when_it_is_made_again(tmp_path):
    target = tmp_path / "model"
    output_of(KILLED_FOLDER, target, killed=True)
    (left,) = tmp_path.iterdir()
    assert (left / "model" / "weights").read_text() == "half"
    with atomic_folder(target) as made:
        assert not left.exists()
        (made / "weights").write_text("first")
        with atomic_folder(target) as second:
            (second / "weights").write_text("second")
            assert made.exists()
    assert (target / "weights").read_text() == "first"
    assert names(tmp_path) == ["model"]


def test_what_another_process_is_writing_stays(tmp_path):
    target = tmp_path / "table.csv"
    with atomic_path(target) as first:
        first.write_text("first")
        with atomic_path(target) as second:
            second.write_text("second")
            assert first.exists()
        assert target.read_text() == "second"
    assert target.read_text() == "first"
    assert names(tmp_path) == ["table.csv"]
