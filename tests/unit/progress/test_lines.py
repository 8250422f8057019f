"""One line on how far a run is, on a terminal of any width and in a log."""

from __future__ import annotations

import pytest

from fairflow.files.jobs import JobProgress
from fairflow.progress.run import Run, Step, in_words, live_line, minute_line

SCORE = "Score gender_1 on glove-6b-50d with weat"


def run_in_progress() -> Run:
    """3 of 1,100 steps are done, each took 4 s, and two are running."""
    run = Run({"score": 1100}, since=0)
    for number in range(3):
        run.begin(number, Step("score", SCORE, 4.0 * number))
        run.end(number, 4.0 * number + 4)
    run.begin(3, Step("score", SCORE, 12))
    run.begin(4, Step("score", "Score race on fasttext with rnd", 12))
    return run


def test_a_wide_line_says_all():
    assert live_line(run_in_progress(), 12, 150) == (
        f"3 of 1,100 (0%)  0:12 elapsed, about 1 h 10 min left  {SCORE} (and 1 more)"
    )


def test_a_narrow_line_ends_with_what_fits_of_the_step():
    line = live_line(run_in_progress(), 12, 59)
    assert line == "3 of 1,100 (0%)  0:12, 1 h 10 min left  Score gender_1 on …"
    assert len(line) == 59


@pytest.mark.parametrize("width", [0, 1, 10, 40, 79, 80, 200])
def test_no_line_is_longer_than_the_terminal_is_wide(width):
    assert len(live_line(run_in_progress(), 12, width)) <= width
    assert len(live_line(run_in_progress(), 12, width, "...")) <= width


def test_a_line_stays_one_line():
    run = Run({"download": 1}, 0)
    run.begin(1, Step("download", "Download\nmany\nfiles", 0))
    assert live_line(run, 1, 100).endswith("Download many files")


def test_a_long_step_says_how_many_items_it_has_and_how_long_the_others_take():
    run = run_in_progress()
    # 256 items in 100 s: the other 1,252 take 489 s.
    run.hear(3, JobProgress(done=256, total=1508, found=0, seconds=100, written=112))
    ending = f"256 of 1,508 items, about 8 min left: {SCORE} (and 1 more)"
    assert live_line(run, 112, 170).endswith(f" left  {ending}")
    assert minute_line(run, 112, "23:59").endswith(f"; running: {ending}")


def test_a_long_step_that_has_just_begun_says_nothing_of_time():
    run = run_in_progress()
    run.hear(3, JobProgress(done=0, total=1508, found=0, seconds=0, written=12))
    assert live_line(run, 13, 150).endswith(f" left  0 of 1,508 items: {SCORE} (and 1 more)")


def test_what_failed_is_counted():
    run = run_in_progress()
    run.fail(4)
    assert live_line(run, 12, 150).startswith("3 of 1,100 (0%), 1 failed  ")


def test_a_line_of_a_log_says_the_time_of_day_first():
    assert minute_line(run_in_progress(), 12, "23:59") == (
        "23:59  3 of 1,100 (0%), 10 s elapsed, about 1 h 10 min left; "
        f"running: {SCORE} (and 1 more)"
    )


def test_a_time_left_that_nobody_knows_is_not_guessed():
    assert (
        live_line(Run({"score": 5}, 0), 61, 100) == "0 of 5 (0%)  1:01 elapsed, time left unknown"
    )


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(-3, "5 s"), (0, "5 s"), (7.4, "5 s"), (38, "40 s"), (57, "55 s"), (59, "1 min"),
     (89, "1 min"), (170, "3 min"), (3569, "59 min"), (3590, "1 h"),
     (4700, "1 h 20 min"), (7200, "2 h")],
)  # fmt: skip
def test_times_are_told_as_precisely_as_they_are_known(seconds, words):
    assert in_words(seconds) == words
