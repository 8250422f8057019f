"""How a job ends that fails or is stopped, and what its log says."""

import errno
import logging

import pytest

from fairflow.errors import FairflowError
from fairflow.files.jobs import log_to


@pytest.fixture(autouse=True)
def root_logger():
    """The one of this process, as it was: a job ends with its process, a test does not."""
    root = logging.getLogger()
    level, before = root.level, list(root.handlers)
    yield root
    for handler in set(root.handlers) - set(before):
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)


def test_an_error_of_the_users_is_a_sentence_and_its_traceback_is_in_the_log(tmp_path, capsys):
    with pytest.raises(SystemExit) as end, log_to(tmp_path / "job.log"):
        raise FairflowError("the file is damaged")
    assert end.value.code == 1
    assert capsys.readouterr().err == "the file is damaged\n"
    assert "Traceback" in (tmp_path / "job.log").read_text()


def test_a_full_disk_is_a_sentence_with_what_to_do(tmp_path, capsys):
    with pytest.raises(SystemExit) as end, log_to(tmp_path / "job.log"):
        raise OSError(errno.ENOSPC, "No space left on device", "table.csv")
    assert end.value.code == 1
    said = capsys.readouterr().err
    assert "No space left on device: 'table.csv'\nMake room" in said
    assert "Traceback" not in said


def test_control_c_ends_a_job_without_a_traceback(tmp_path, capsys):
    with pytest.raises(SystemExit) as end, log_to(tmp_path / "job.log"):
        raise KeyboardInterrupt
    assert end.value.code == 130
    assert capsys.readouterr().err == ""
