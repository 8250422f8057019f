"""The report of a step that failed."""

from __future__ import annotations

from fairflow.progress.run import TAIL, Step, failure, failure_together

TRACEBACK = "Traceback (most recent call last):\n  File 'x.py', line 1\n"


def step(log: str) -> Step:
    return Step(
        "score_query",
        "Score gender_1 on glove with weat",
        0,
        {"model": "glove", "query": "gender_1"},
        ("results/scores/glove/gender_1.parquet",),
        (log,),
    )


def test_a_failure_names_rule_model_query_file_and_log(tmp_path):
    log = tmp_path / "step.log"
    log.write_text(f"{TRACEBACK}\nZeroDivisionError: division by zero\n")
    assert failure(step(str(log))).splitlines() == [
        "Failed: Score gender_1 on glove with weat",
        "  rule  score_query: model glove, query gender_1",
        "  file  results/scores/glove/gender_1.parquet",
        f"  log   {log}, last lines:",
        "    Traceback (most recent call last):",
        "      File 'x.py', line 1",
        "    ZeroDivisionError: division by zero",
    ]


def test_of_a_long_log_the_end_is_shown(tmp_path):
    log = tmp_path / "step.log"
    log.write_text("\n".join(f"line {n}" for n in range(1000)))
    lines = failure(step(str(log))).splitlines()[4:]
    assert lines[0] == f"    line {1000 - TAIL}"
    assert lines[-1] == "    line 999"


def test_an_error_that_says_what_to_do_needs_no_traceback(tmp_path):
    log = tmp_path / "step.log"
    log.write_text(f"{TRACEBACK}fairflow.errors.DownloadError: no such file\ntry another mirror\n")
    assert failure(step(str(log))).splitlines()[4:] == [
        "    no such file",
        "    try another mirror",
    ]


def test_a_step_that_ended_before_its_log_began_is_told_of_by_the_whole_output(tmp_path):
    whole = tmp_path / "whole.log"
    whole.write_text("ImportError: no module named numpy\n")
    lines = failure(step(str(tmp_path / "none.log")), whole=whole).splitlines()[3:]
    assert lines == [
        f"  log   {tmp_path}/none.log, empty",
        f"  log   {whole}, last lines:",
        "    ImportError: no module named numpy",
    ]


def test_what_a_scheduler_says_is_told():
    assert "  job 17 ran out of memory" in failure(step("none"), "job 17 ran out of memory")


def test_of_a_submission_the_logs_with_a_traceback_are_shown(tmp_path):
    good, bad, submission = (tmp_path / name for name in ("good.log", "bad.log", "17.log"))
    good.write_text("INFO all is well\n")
    bad.write_text(f"{TRACEBACK}ValueError: bad\n")
    submission.write_text("job 17 ended with 1\n")
    text = failure_together(
        [step(str(good)), step(str(bad))], [str(submission)], [str(good), str(bad)]
    )
    assert text.splitlines()[0] == (
        "Failed: a submission of 2 steps (score_query): Score gender_1 on glove with weat, and more"
    )
    assert "job 17 ended with 1" in text
    assert "ValueError: bad" in text
    assert "all is well" not in text
