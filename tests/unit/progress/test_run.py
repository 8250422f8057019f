"""How long the rest of a run may take."""

from __future__ import annotations

import pytest

from fairflow.files.jobs import JobProgress
from fairflow.progress.run import A_STEP, Run, Step, earlier_seconds


def after(run: Run, *steps: tuple[str, float, float]) -> Run:
    """The run after steps of some rules, from one second to another."""
    for number, (rule, begin, end) in enumerate(steps):
        run.begin(number, Step(rule, rule, begin))
        run.end(number, end)
    return run


def test_steps_are_counted_from_the_first_to_the_last():
    run = Run({"score": 2, "rank": 1}, since=0)
    run.begin(1, Step("score", "Score", 0))
    assert (run.total, run.done, len(run.running)) == (3, 0, 1)
    run.end(1, 2)
    assert (run.total, run.done, len(run.running)) == (3, 1, 0)


def test_what_is_left_takes_as_long_as_steps_of_its_rule_took_lately():
    run = after(Run({"score": 10}, 0), *[("score", 4.0 * n, 4.0 * n + 4) for n in range(3)])
    assert run.seconds_left(12) == pytest.approx(7 * 4)


def test_one_long_step_does_not_stand_for_a_hundred_short_ones():
    times = [("score", 0, 1), ("score", 1, 2), ("score", 2, 66)]
    assert after(Run({"score": 103}, 0), *times).seconds_left(66) == pytest.approx(
        100 * 64 ** (1 / 3)
    )


def test_steps_that_work_at_once_share_what_is_left():
    pairs = [("score", 4.0 * n, 4.0 * n + 4) for n in range(3) for _ in range(2)]
    assert after(Run({"score": 10}, 0), *pairs).seconds_left(12) == pytest.approx(4 * 4 / 2)


def test_nothing_is_said_before_some_steps_and_seconds():
    assert after(Run({"score": 10}, 0), ("score", 0, 9), ("score", 9, 10)).seconds_left(10) is None
    assert after(Run({"score": 10}, 0), *[("score", 0, 1)] * 3).seconds_left(1) is None


def test_a_step_that_takes_longer_than_others_did_leaves_no_negative_time():
    run = after(Run({"score": 4}, 0), *[("score", 2.0 * n, 2.0 * n + 2) for n in range(3)])
    run.begin(9, Step("score", "Score", 6))
    assert run.seconds_left(7) == pytest.approx(1)
    assert run.seconds_left(600) == 0


def test_downloads_of_minutes_do_not_make_hours_of_short_steps_nobody_has_timed():
    run = Run({"download": 3, "words": 3, "order": 3, "score": 900}, 0)
    run = after(
        run, *[("download", 0, 120)] * 3, *[("words", 120, 121)] * 3, *[("order", 121, 123)] * 3
    )
    at_once = (3 * 120 + 3 * 1 + 3 * 2) / 123
    assert run.seconds_left(123) == pytest.approx(900 * 2 / at_once)


def test_a_rule_that_was_timed_in_an_earlier_run_is_expected_to_take_as_long():
    run = after(Run({"score": 3, "draw": 2}, 0, {"draw": 30}), *[("score", 0, 6)] * 3)
    assert run.seconds_left(6) == pytest.approx(2 * 30 / 3)


def test_a_rule_of_which_nothing_is_known_takes_what_most_do():
    run = after(
        Run({"score": 3, "draw": 2}, 0), *[("score", 2.0 * n, 2.0 * n + 2) for n in range(3)]
    )
    assert run.seconds_left(6) == pytest.approx(2 * A_STEP)


def test_a_step_that_failed_is_to_be_done_again():
    run = Run({"score": 2}, 0)
    run.begin(1, Step("score", "Score", 0))
    assert run.fail(1).message == "Score"
    assert (run.total, run.done, run.failed) == (2, 0, {1})
    run.begin(1, Step("score", "Score", 5))
    run.end(1, 6)
    assert (run.total, run.done, run.failed) == (2, 1, set())


def test_steps_that_nobody_saw_begin_count():
    run = Run({"score": 2}, 0)
    run.end(7, 3)
    assert run.done == 1
    assert run.fail(8) is None


def test_benchmarks_of_an_earlier_run_tell_the_mean_seconds_of_a_rule(tmp_path):
    for name, seconds in (("a/one.tsv", "2.0"), ("two.tsv", "4.0"), ("three.tsv", "")):
        file = tmp_path / "score" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"s\th:m:s\n{seconds}\t0:00:02\n")
    (tmp_path / "score/four.tsv").write_text("not a benchmark")
    assert earlier_seconds(tmp_path, ["score", "draw"]) == {"score": 3.0}


def three_short_and_a_long_one() -> Run:
    """Three steps took 2 s each; the fourth and last began at 6 s."""
    run = after(Run({"score": 4}, 0), *[("score", 2.0 * n, 2.0 * n + 2) for n in range(3)])
    run.begin(9, Step("score", "Score", 6))
    return run


def test_a_step_that_says_how_long_it_takes_is_believed():
    run = three_short_and_a_long_one()
    run.hear(9, JobProgress(done=10, total=110, found=0, seconds=60, written=66))
    assert run.seconds_left(66) == pytest.approx(600)


def test_what_a_step_told_before_it_began_again_is_old():
    run = three_short_and_a_long_one()
    run.hear(9, JobProgress(done=10, total=110, found=0, seconds=60, written=5))
    assert run.reported == {}
    assert run.seconds_left(7) == pytest.approx(1)


def test_a_step_that_has_ended_tells_nothing_more():
    run = three_short_and_a_long_one()
    run.hear(9, JobProgress(done=10, total=110, found=0, seconds=60, written=66))
    run.end(9, 70)
    run.hear(9, JobProgress(done=10, total=110, found=0, seconds=60, written=66))
    assert run.reported == {}
