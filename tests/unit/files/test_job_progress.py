"""How far a long job says it is."""

import pytest

from fairflow.files.jobs import JobProgress, partial_folder, read_job_progress, write_job_progress


def test_what_is_partial_lies_beside_all_results_and_not_among_them():
    folder = partial_folder("results/tokens/bert/pairs.parquet")
    assert folder.as_posix() == "results/partial/tokens/bert/pairs"


def test_a_job_is_read_as_it_told(tmp_path):
    output = tmp_path / "results/tokens/bert/pairs.parquet"
    told = JobProgress(256, 1508, 0, 60.5, 1e9)
    write_job_progress(told, output)
    assert read_job_progress(output) == told


@pytest.mark.parametrize("content", ["", "{", "[]", '{"done": 1}', "\x00"])
def test_a_job_that_tells_nothing_readable_tells_nothing(tmp_path, content):
    output = tmp_path / "results/tokens/bert/pairs.parquet"
    assert read_job_progress(output) is None
    partial_folder(output).mkdir(parents=True)
    (partial_folder(output) / "progress.json").write_text(content)
    assert read_job_progress(output) is None


def test_the_rest_takes_as_long_as_what_this_run_did_not_what_it_found():
    # 100 of 300 items in 50 s, 200 left: 100 s at the time of writing, 70 s half a minute later.
    told = JobProgress(done=400, total=600, found=300, seconds=50, written=1000)
    assert told.seconds_left(1000) == pytest.approx(100)
    assert told.seconds_left(1030) == pytest.approx(70)
    assert told.seconds_left(2000) == 0


def test_nothing_is_said_of_a_pace_that_nobody_has_seen():
    assert JobProgress(done=300, total=600, found=300, seconds=0, written=0).seconds_left(0) is None
