"""Interruptions and broken inputs."""

import hashlib
import os
import signal

import pandas as pd
import pytest

from project import ENVIRONMENT, Project, wait_until

pytestmark = pytest.mark.workflow


def wait_for_scores(project: Project, count: int) -> None:
    scores = project.folder / "results/scores"
    wait_until(lambda: len([*scores.rglob("*.parquet")]) >= count)


def test_a_run_killed_in_the_middle_completes_when_started_again(
    fresh: Project, finished_once: Project
):
    process = fresh.start(script="run.sh")
    wait_for_scores(fresh, 3)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert fresh.planned()["score_queries"] > 0
    again = fresh.start(script="run.sh")
    assert again.wait() == 0
    assert fresh.planned() == {}
    assert fresh.products() == finished_once.products()


def test_a_job_that_is_killed_goes_on_from_the_cells_that_it_had_computed(finished: Project):
    # Its earlier file is still there, and is handed to it again although it is marked incomplete.
    target, wait = "results/scores/first/weat/toy.parquet", finished.folder / "wait"
    finished.edit("scripts/fairflow/files/kept.py", "SECONDS = 30.0", "SECONDS = 0.0")
    saved = '                    logger.info("%d of %d cells are there", done, len(wanted))\n'
    pause = "                    while os.path.exists('wait'): time.sleep(0.1)\n"
    finished.edit("scripts/fairflow/files/kept.py", saved, saved + pause)
    finished.edit("config/config.yaml", "seed: 1", "seed: 2")
    finished.run("results/slices/first/toy.parquet")
    wait.touch()
    process = finished.start(target, script="run.sh")
    part = finished.folder / "results/partial/scores/first/weat/toy/000000001.parquet"
    wait_until(part.exists)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    wait.unlink()
    assert (finished.folder / target).exists()
    assert finished.start(target, script="run.sh").wait() == 0
    log = finished.folder / "results/logs/score_queries/first/weat/toy.log"
    assert "1 of 2 cells computed" in log.read_text()
    assert not part.exists()
    assert {*pd.read_parquet(finished.folder / target)["query"]} == {"noise", "temperature"}


def test_a_second_run_in_the_same_folder_says_so_and_stops(fresh: Project):
    first = fresh.start(script="run.sh")
    wait_for_scores(fresh, 1)
    second = fresh.by_script("run.sh")
    assert second.returncode == 1
    assert "Another run uses this folder" in second.stderr
    assert first.wait() == 0


def test_wrong_checksum_stops_the_model_and_keeps_nothing(fresh: Project):
    promised = "0" * 64
    fresh.edit(
        "config/models.yaml",
        "  format: glove-text",
        f"  checksum: sha256:{promised}\n  format: glove-text",
    )
    found = hashlib.sha256((fresh.folder / "data/first.txt").read_bytes()).hexdigest()
    output = fresh.run("--keep-going", check=False).stdout
    assert promised in output
    assert found in output
    assert not (fresh.folder / "results/models/first/vectors").exists()
    # The other model does not suffer.
    assert (fresh.folder / "results/scores/second/weat/toy.parquet").exists()


def test_without_network_the_error_says_what_to_fetch_and_where_to_put_it(
    fresh: Project, monkeypatch: pytest.MonkeyPatch
):
    promised = hashlib.sha256(b"another wheel").hexdigest()
    monkeypatch.setitem(ENVIRONMENT, "PIP_NO_INDEX", "1")
    monkeypatch.setitem(ENVIRONMENT, "PIP_FIND_LINKS", str(fresh.folder))
    fresh.edit(
        "config/models.yaml",
        "[{file: data/first.txt}]",
        f"[{{pypi: wefe==1.0.1}}]\n  checksum: sha256:{promised}\n  archive: zip\n  member: v.bin",
    )
    output = fresh.run("results/models/first/card.json", check=False).stdout
    assert "wefe==1.0.1" in output
    assert promised in output
    assert f"results/downloads/sha256-{promised}" in output


def test_all_faults_of_a_configuration_are_reported_at_once(fresh: Project):
    fresh.edit("config/studies/toy.yaml", "[weat, rnd, rnsb]", "[weta, rnd, rnsb]")
    fresh.edit("config/studies/toy.yaml", "Sound: [noise]", "Sound: [nose]")
    fresh.edit("config/queries/toy.yaml", "Loud: toy:loud", "Loud: toy:lout")
    output = fresh.run(check=False).stdout
    assert "3 problems" in output
    for nearest in ("'weat'", "'noise'", "'toy:loud'"):
        assert f"Did you mean {nearest}?" in output


def test_a_zero_vector_is_a_missing_word_and_stops_nothing(fresh: Project):
    path = fresh.folder / "data/second.txt"
    lines = path.read_text().splitlines()
    zeroed = [line if not line.startswith("drum ") else "drum" + " 0" * 8 for line in lines]
    path.write_text("\n".join(zeroed) + "\n")
    fresh.run("rankings")
    table = (fresh.folder / "results/studies/toy/scores.csv").read_text()
    rows = [row for row in table.splitlines() if row.startswith("second,weat,Sound")]
    assert rows
    assert all('lost_vocabulary,"Loud lost 1 of 4 words (drum)' in row for row in rows)


def test_an_unexpected_error_leaves_its_traceback_in_the_log(fresh: Project):
    fresh.edit(
        "scripts/fairflow/metrics/weat.py",
        "        statistic = float(first.sum() - second.sum())",
        "        statistic = float(first.sum() / 0 - second.no_such_thing)",
    )
    assert fresh.run("results/scores/first/weat/toy.parquet", check=False).returncode != 0
    log = fresh.folder / "results/logs/score_queries/first/weat/toy.log"
    assert "AttributeError" in log.read_text()
