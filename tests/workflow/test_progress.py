"""What a person reads about a run: on a terminal, in a log, and when a step fails."""

import os
import pty
import subprocess
import sys

import pytest

from project import ENVIRONMENT, Project, run

pytestmark = pytest.mark.workflow

OPTIONS = ("--logger", "fairflow", "--workflow-profile", "workflow/profiles/local", "--cores", "2")
# One step.
TARGET = ("--force", "results/words/toy.json")


def command(*arguments: str) -> list[str]:
    return ["workflow/run.sh", sys.executable, "-m", "snakemake", *OPTIONS, *arguments]


def on_a_terminal(project: Project, *arguments: str, stop_at: bytes = b"") -> str:
    """What a terminal gets, until the run ends; where it shows `stop_at`, Ctrl-C is pressed."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command(*arguments),
        cwd=project.folder,
        env=ENVIRONMENT,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=lambda: os.close(os.open(os.ttyname(theirs), os.O_RDWR)),
    )
    os.close(theirs)
    shown = b""
    # Linux tells by an error that nobody holds the other end any more.
    while chunk := _read(ours):
        shown += chunk
        if stop_at and stop_at in shown:
            os.write(ours, b"\x03")
            stop_at = b""
    process.wait(timeout=60)
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def in_a_log(project: Project, *arguments: str) -> str:
    """What a log gets."""
    asked = command("--logger-fairflow-interval", "0.05", *arguments)
    return run(asked, project.folder).stdout


def test_a_log_gets_lines_on_how_far_the_run_is_and_a_file_the_rest(finished: Project):
    said = in_a_log(finished, *TARGET)
    lines = [line for line in said.splitlines() if not line.startswith("Using workflow specific")]
    assert lines[0] == "1 step to do"
    assert "of 1 (0%), " in said
    assert "1 step done in " in lines[-2]
    whole = lines[-1].removeprefix("Whole output: ")
    text = (finished.folder / whole).read_text()
    assert "Building DAG of jobs..." in text
    assert "Finished jobid: 0 (Rule: write_words)" in text
    assert in_a_log(finished).endswith("Nothing to do: every result is up to date.\n")


def test_an_error_is_told_with_rule_model_file_and_reason_and_no_traceback(finished: Project):
    data = finished.folder / "data/first.txt"
    data.write_text(data.read_text().replace("\n", " not-a-number\n", 1))
    said = in_a_log(finished, "results/models/first/vectors")
    assert "Failed: Convert first to word2vec format and index it\n" in said
    assert "  rule  convert_model: model first\n" in said
    assert "  file  results/models/first/vectors\n" in said
    assert "  log   results/logs/convert_model/first.log, last lines:\n    data/first.txt" in said
    assert "1 step failed after " in said
    assert "the same command continues from there.\nWhole output: results/logs/snakemake/" in said
    assert "Traceback" not in said
    assert "CalledProcessError" not in said


def test_a_job_that_was_killed_is_told_with_the_signal_and_what_it_may_mean(fresh: Project):
    start = "with running(snakemake) as job:"
    kill = f"{start}\n    __import__('os').kill(__import__('os').getpid(), 9)"
    fresh.edit("scripts/convert_model.py", start, kill)
    said = in_a_log(fresh, "results/models/first/vectors")
    assert "1 step failed after " in said
    assert "SIGKILL" in said
    assert "memory" in said


def test_who_presses_control_c_reads_that_the_same_command_goes_on(finished: Project):
    # With steps enough for some to be left, however late the key is noticed.
    scores = (finished.folder / "results/scores").rglob("*.parquet")
    paths = sorted(str(path.relative_to(finished.folder)) for path in scores)
    target = ("--forcerun", "write_words", "--", *paths)
    shown = on_a_terminal(finished, *target, stop_at=b" to do")
    assert "Traceback" not in shown
    assert "Stopped after " in shown
    assert "The same command continues from there." in shown
    assert "steps done in " in on_a_terminal(finished, *target)
