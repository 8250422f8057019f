"""What a run tells: a line a minute, failures, and its end."""

import os
import time
from pathlib import Path

import pytest

from fairflow.files.jobs import JobProgress, write_job_progress
from fairflow.progress.run import (
    TAIL,
    Reporter,
    Step,
    WholeOutput,
    failure,
    failure_together,
    in_words,
)

TRACEBACK = "Traceback (most recent call last):\n  File 'x.py', line 1\n"
SCORE = "Score gender_1 on glove with weat"


def step(log: str = "none", since: float = 0, *outputs: str) -> Step:
    names = {"model": "glove", "query": "gender_1"}
    return Step("score_query", SCORE, since, names, outputs, (log,))


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (f"{TRACEBACK}\nZeroDivisionError: 0\n", [*TRACEBACK.splitlines(), "ZeroDivisionError: 0"]),
        ("\n".join(map(str, range(99))), [str(n) for n in range(99 - TAIL, 99)]),
        (f"{TRACEBACK}fairflow.errors.DownloadError: no file\ntry it\n", ["no file", "try it"]),
    ],
)
def test_a_failure_names_rule_model_query_file_and_the_end_of_the_log(tmp_path, written, shown):
    log = tmp_path / "step.log"
    log.write_text(written)
    said = failure(step(str(log), 0, "results/a.parquet"), "job 17 ran out of memory")
    assert said.splitlines() == [
        f"Failed: {SCORE}",
        "  rule  score_query: model glove, query gender_1",
        "  file  results/a.parquet",
        "  job 17 ran out of memory",
        f"  log   {log}, last lines:",
        *(f"    {line}" for line in shown),
    ]


def test_a_step_that_ended_before_its_log_began_is_told_of_by_the_whole_output(tmp_path):
    whole = tmp_path / "whole.log"
    whole.write_text("ImportError: no module named numpy\n")
    lines = failure(step(), whole=whole).splitlines()
    assert lines[-3:] == [
        "  log   none, empty",
        f"  log   {whole}, last lines:",
        "    ImportError: no module named numpy",
    ]


def test_of_a_submission_the_logs_with_a_traceback_are_shown(tmp_path):
    good, bad, submission = (tmp_path / name for name in ("good.log", "bad.log", "17.log"))
    good.write_text("INFO all is well\n")
    bad.write_text(f"{TRACEBACK}ValueError: bad\n")
    submission.write_text("job 17 ended with 1\n")
    text = failure_together([step(), step()], [str(submission)], [str(good), str(bad)])
    assert text.startswith(f"Failed: a submission of 2 steps (score_query): {SCORE}, and more")
    assert "job 17 ended with 1" in text
    assert "ValueError: bad" in text
    assert "all is well" not in text


@pytest.fixture
def told(tmp_path):
    """A reporter, the path of what it has said, and the folder of its logs."""
    output, shown = WholeOutput(), tmp_path / "shown"
    output.terminal.close()
    before = os.dup(2)
    output.terminal = open(shown, "w")  # noqa: SIM115
    reporter = Reporter(600, output)
    yield reporter, shown, tmp_path / "logs"
    reporter.close()
    os.dup2(before, 2)
    os.close(before)


def two_minutes_ago() -> float:
    return time.time() - 120


def whole_output(logs: Path) -> str:
    (file,) = logs.iterdir()
    return file.read_text()


def test_a_run_that_ends_well_says_how_much_was_done_and_where_all_of_it_stands(told):
    reporter, shown, logs = told
    reporter.note("before")
    reporter.start(1, two_minutes_ago(), logs)
    reporter.begin(1, step())
    os.write(2, b"a warning of numpy\n")
    reporter.end(1)
    reporter.close()
    first, second, third = shown.read_text().splitlines()
    assert (first, second) == ("1 step to do", "1 step done in 2 min.")
    assert third.startswith(f"Whole output: {logs}/")
    assert whole_output(logs) == "before\na warning of numpy\n"


def test_the_progress_says_what_is_done_how_long_the_rest_takes_and_what_runs(told):
    reporter, _, _ = told
    reporter.total, reporter._since = 300, 0.0
    reporter.begin(7, step())
    assert reporter.line(60) == f"0 of 300 (0%), 1 min elapsed; running: {SCORE}"
    reporter.done = 100
    reporter.failed = {5}
    reporter.begin(8, step())
    assert reporter.line(600) == (
        f"100 of 300 (33%), 1 failed, 10 min elapsed, about 20 min left; running: {SCORE} "
        "(and 1 more)"
    )


@pytest.mark.parametrize(
    ("written", "items"), [(130, "256 of 1,508 items, about 8 min left: "), (5, "")]
)
def test_what_a_long_step_tells_is_read_beside_its_output(told, tmp_path, written, items):
    reporter, _, _ = told
    reporter.total, reporter._since = 2, 0.0
    output = str(tmp_path / "results/tokens/bert/pairs.parquet")
    # What it reported before it began again is old.
    write_job_progress(JobProgress(256, 1508, 0, 100.0, written), output)
    reporter.begin(1, step("none", 10, output))
    assert reporter.line(130).endswith(f"; running: {items}{SCORE}")


def test_lines_follow_each_other_while_the_run_lasts(told):
    reporter, shown, logs = told
    reporter._interval = 0.01
    reporter.start(1, two_minutes_ago(), logs)
    deadline = time.monotonic() + 60
    while "0 of 1 (0%)" not in shown.read_text() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert "0 of 1 (0%), 2 min elapsed" in shown.read_text()


def test_a_failure_is_told_once_whatever_is_said_of_it_later(told):
    reporter, shown, logs = told
    reporter.start(4, two_minutes_ago(), logs)
    for number in (1, 2, 3):
        reporter.begin(number, step())
    reporter.fail_together([1, 2], [], [])
    for number in (1, 3, 3):
        reporter.fail(number, step())
    reporter.close()
    said = shown.read_text()
    assert said.count("Failed: ") == 2
    assert "3 steps failed after 2 min; 0 of 4 steps done, which will be kept. When the" in said


def test_who_stops_a_run_reads_that_it_goes_on_and_the_rest_goes_into_the_file(told):
    reporter, shown, logs = told
    assert not reporter.has_begun
    reporter.start(2, two_minutes_ago(), logs)
    reporter.stop()
    reporter.fail(1, step())
    reporter.problem("KeyboardInterrupt")
    reporter.close()
    os.write(2, b"Traceback of the end\n")
    said = shown.read_text()
    assert "Stopped after 2 min; 0 of 2 steps done, which will be kept. The same command" in said
    assert "Failed" not in said
    assert "KeyboardInterrupt" not in said
    assert whole_output(logs) == "Traceback of the end\n"


def test_a_run_without_steps_says_why_and_writes_no_file(told):
    reporter, shown, logs = told
    reporter.note("Building DAG of jobs...")
    reporter.nothing_to_do()
    reporter.close()
    assert shown.read_text() == "Nothing to do: every result is up to date.\n"
    assert not logs.exists()


def test_ctrl_c_before_anything_is_planned_is_told_in_a_line(told):
    reporter, shown, _ = told
    reporter.stop()
    reporter.close()
    assert shown.read_text() == "Stopped before any step started.\n"


def test_a_folder_that_takes_no_file_and_a_closed_terminal_stop_nothing(told):
    reporter, _, logs = told
    logs.write_text("a file")
    reporter.start(1, two_minutes_ago(), logs)
    reporter.note("all is well")
    reporter._output.terminal.close()
    reporter.problem("unheard")


@pytest.mark.parametrize(
    ("seconds", "words"), [(7.4, "7 s"), (89, "1 min"), (3569, "59 min"), (4700, "1.3 h")]
)
def test_times_are_told_as_precisely_as_they_are_known(seconds, words):
    assert in_words(seconds) == words
