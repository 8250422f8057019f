"""The reports of a run from its start to its end."""

from __future__ import annotations

import io
import os
import time

import pytest

from fairflow.files.jobs import JobProgress, write_job_progress
from fairflow.progress.reporter import Reporter, Screen
from fairflow.progress.run import Step


@pytest.fixture
def told(tmp_path):
    """A reporter, and what it has said where the output is no terminal."""
    stream = io.StringIO()
    reporter = Reporter(60, Screen(stream, {}), clock=lambda: "12:00", now=lambda: 130.0)
    yield reporter, lambda: stream.getvalue().replace(f"{tmp_path}/", "")
    reporter.close()


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("Whole output: ")]


def test_a_run_that_ends_well_says_how_much_was_done_and_where_all_of_it_stands(told, tmp_path):
    reporter, said = told
    reporter.start({"score": 1}, 10.0, tmp_path)
    reporter.begin(1, Step("score", "Score", 10))
    reporter.end(1, 20)
    reporter.close()
    assert lines(said()) == ["1 step to do", "1 step done in 2 min."]
    assert "Whole output: logs/snakemake/" in said()


class Terminal(io.StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_the_first_step_at_once_however_short_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr("fairflow.progress.reporter.TICK", 60)
    terminal = Terminal()
    reporter = Reporter(60, Screen(terminal, {"TERM": "xterm"}), now=lambda: 10.0)
    reporter.start({"score": 2}, 10.0, tmp_path)
    reporter.begin(1, Step("score", "Score one", 10))
    reporter.begin(2, Step("score", "Score two", 10))
    shown = terminal.getvalue()
    reporter.close()
    assert "Score one" in shown
    assert "Score two" not in shown


def test_a_failure_is_told_once_whatever_is_said_of_it_later(told, tmp_path):
    reporter, said = told
    reporter.start({"score": 2}, 10.0, tmp_path)
    reporter.begin(1, Step("score", "Score one", 10))
    for _ in range(2):
        reporter.fail(1, Step("score", "score", 11))
    reporter.close()
    assert lines(said()) == [
        "2 steps to do", "Failed: Score one", "  rule  score",
        *[line for line in lines(said()) if line.startswith("  log")],
        "1 step failed after 2 min; 0 of 2 steps are done and will be kept. "
        "When the cause is fixed, the same command continues from there.",
    ]  # fmt: skip


def test_a_submission_that_failed_is_told_once_not_for_each_of_its_steps(told, tmp_path):
    reporter, said = told
    reporter.start({"score": 2}, 10.0, tmp_path)
    for number in (1, 2):
        reporter.begin(number, Step("score", f"Score {number}", 10))
    reporter.fail_together([1, 2], [], [])
    reporter.fail(1, Step("score", "score", 11))
    assert said().count("Failed: ") == 1


def test_who_stops_a_run_reads_that_it_goes_on_later(told, tmp_path):
    reporter, said = told
    reporter.start({"score": 2}, 10.0, tmp_path)
    reporter.stop()
    reporter.close()
    assert "Stopped after 2 min; 0 of 2 steps are done and will be kept. The same command" in said()


def test_a_run_with_nothing_to_do_says_so_and_writes_no_file(told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    reporter, said = told
    reporter.note("Building DAG of jobs...")
    reporter.nothing_to_do()
    reporter.close()
    assert said() == "Nothing to do: every result is up to date.\n"
    assert not list(tmp_path.iterdir())


def test_what_jobs_write_to_standard_error_goes_into_the_file_with_all_that_was_said(
    told, tmp_path
):
    reporter, said = told
    reporter.note("before")
    reporter.start({"score": 1}, 10.0, tmp_path)
    os.write(2, b"a warning of numpy\n")
    reporter.note("after")
    reporter.close()
    (file,) = (tmp_path / "logs/snakemake").iterdir()
    assert file.read_text() == "before\na warning of numpy\nafter\n"
    assert "warning" not in said()


def test_what_fails_or_is_written_after_ctrl_c_goes_into_the_file(told, tmp_path):
    reporter, said = told
    standard_error = os.dup(2)
    reporter.start({"score": 2}, 10.0, tmp_path)
    reporter.stop()
    reporter.fail(1, Step("score", "Score it", 10.0))
    reporter.problem("KeyboardInterrupt")
    reporter.close()
    os.write(2, b"Traceback of the end\n")
    os.dup2(standard_error, 2)
    os.close(standard_error)
    assert "Stopped after " in said()
    assert "Failed" not in said()
    assert "KeyboardInterrupt" not in said()
    (file,) = (tmp_path / "logs/snakemake").iterdir()
    assert file.read_text() == "Traceback of the end\n"


def test_ctrl_c_before_anything_is_planned_is_told_in_a_line(told):
    reporter, said = told
    assert not reporter.has_begun
    reporter.stop()
    reporter.close()
    assert "Stopped before any step started." in said()


def test_a_folder_that_takes_no_file_stops_nothing(told, tmp_path):
    reporter, said = told
    (tmp_path / "logs").write_text("a file")
    reporter.start({"score": 1}, 10.0, tmp_path)
    reporter.note("all is well")
    reporter.close()
    assert lines(said())[-1].startswith("Ended early after 2 min; 0 of 1 step is done")


def test_what_a_long_step_tells_is_read_beside_its_output(tmp_path, monkeypatch):
    monkeypatch.setattr("fairflow.progress.reporter.TICK", 0.01)
    terminal = Terminal()
    reporter = Reporter(60, Screen(terminal, {"TERM": "xterm"}), now=lambda: 130.0)
    output = str(tmp_path / "results/tokens/bert/pairs.parquet")
    reporter.start({"score_tokens": 2}, 10.0, tmp_path)
    write_job_progress(JobProgress(256, 1508, 0, 100.0, 130.0), output)
    with reporter:
        reporter.begin(1, Step("score_tokens", "Score pairs", 10, outputs=(output,)))
    deadline = time.monotonic() + 60
    while "items" not in terminal.getvalue() and time.monotonic() < deadline:
        time.sleep(0.01)
    reporter.close()
    assert "256 of 1,508 items, about 8 min left: Score" in terminal.getvalue()
