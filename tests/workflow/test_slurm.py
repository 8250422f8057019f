"""Submissions to a real SLURM of one node: what is submitted, and what becomes of it when a job,
the node or Snakemake dies."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import project
from project import ENVIRONMENT, PRODUCTS, ROOT, Project, make_project

pytestmark = pytest.mark.workflow

SCRIPTS = ROOT / "tests/slurm"
CELL = "results/scores/first/weat/toy.parquet"
CONVERSION = ("results/models/first/card.json",)
# Generous: a machine with other work on it takes many times as long as a quiet one.
SECONDS_OF_A_RUN = 1200
wait_until = partial(project.wait_until, pause=0.2)
SUBMITTED = re.compile(r"has been submitted with SLURM jobid (\d+)")


def why_not() -> str | None:
    """Why SLURM cannot be started here."""
    if not all(map(shutil.which, ("slurmctld", "slurmd", "munged", "srun"))):
        return "SLURM is not installed: apt-get install slurm-wlm munge"
    if os.geteuid() != 0:
        return "SLURM is started by root only"
    if find_spec("snakemake_executor_plugin_slurm") is None:
        return "the executor plugin is not installed: make .venv/cluster"
    return None


def ask(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def state(job: str) -> str:
    return ask("squeue", "--noheader", "--states=all", "--jobs", job, "--format=%T")


class SlurmProject(Project):
    """A project that runs as the site says, but asks more often for the state of its jobs."""

    def command(self, *arguments: str) -> list[str]:
        profile = ["--workflow-profile", "workflow/profiles/slurm"]
        often = ["--slurm-init-seconds-before-status-checks", "1"]
        snakemake = [sys.executable, "-m", "snakemake"]
        return ["workflow/run.sh", *snakemake, *profile, *often, *arguments]

    def finish(self, run: subprocess.Popen[bytes]) -> None:
        """Wait for a run to end well."""
        try:
            code = run.wait(timeout=SECONDS_OF_A_RUN)
        except subprocess.TimeoutExpired:
            run.kill()
            pytest.fail(f"not done within {SECONDS_OF_A_RUN} s:\n{ask('squeue')}\n{self.output}")
        assert code == 0, self.output

    @property
    def output(self) -> str:
        """What the runs of `start` have written so far."""
        return (self.folder / "output.log").read_text()

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        with open(self.folder / "output.log", "ab") as log:
            return subprocess.Popen(
                self.command(*arguments),
                cwd=self.folder,
                env=ENVIRONMENT,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def submissions(self) -> list[str]:
        return SUBMITTED.findall(self.output)

    def wait_for_running(self, number: int) -> str:
        """The SLURM id of the run's n-th submission, once it runs."""
        wait_until(lambda: len(self.submissions()) >= number, f"submission {number}")
        job = self.submissions()[number - 1]
        wait_until(lambda: state(job) == "RUNNING", f"job {job} running")
        return job

    def slurm_logs(self) -> list[Path]:
        return [path for path in (self.folder / "results/logs/slurm").rglob("*") if path.is_file()]


def make_small(folder: Path) -> Project:
    """Two models, two metrics, one query: two files of slices, four of scores."""
    project = make_project(folder)
    project.edit("config/studies/toy.yaml", "[first, second, ", "[first, ")
    project.edit("config/studies/toy.yaml", "[weat, rnd, rnsb]", "[weat, rnd]")
    project.edit("config/studies/toy.yaml", "  Weather: [temperature]\n", "")
    # The ranks of two models have no figure.
    project.edit("config/studies/toy.yaml", "[rank_probabilities]", "[effect_sizes]")
    return project


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    reason = why_not()
    if reason:
        pytest.skip(reason)
    running = subprocess.run(["pidof", "slurmctld"], stdout=subprocess.DEVNULL, check=False)
    started = subprocess.run(
        [SCRIPTS / "start_slurm.sh"], capture_output=True, text=True, check=False
    )
    if "belongs to a cluster" in started.stderr:
        pytest.skip(started.stderr.strip())
    assert started.returncode == 0, started.stderr
    yield
    if running.returncode != 0:
        subprocess.run([SCRIPTS / "stop_slurm.sh"], check=True)


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = make_small(tmp_path_factory.mktemp("local") / "project")
    project.run()
    return project


@pytest.fixture(scope="module")
def submitted(cluster: None, tmp_path_factory: pytest.TempPathFactory) -> SlurmProject:
    """The small project after one run under SLURM; not to be changed."""
    folder = tmp_path_factory.mktemp("slurm") / "project"
    make_small(folder)
    project = SlurmProject(folder)
    project.finish(project.start())
    return project


@pytest.fixture
def converted(local: Project, cluster: None, tmp_path: Path) -> SlurmProject:
    """The small project with its model converted and nothing looked up."""
    folder = tmp_path / "project"
    shutil.copytree(local.folder, folder)
    for part in PRODUCTS:
        shutil.rmtree(folder / part)
    return SlurmProject(folder)


def test_slurm_gives_the_bytes_of_a_local_run(submitted: SlurmProject, local: Project):
    assert submitted.products() == local.products()
    assert submitted.planned() == {}


def test_models_cells_tables_figures_and_ledger_are_a_submission_each(submitted: SlurmProject):
    assert len(submitted.submissions()) == 5


def test_logs_of_rules_stay_and_those_of_finished_submissions_go(submitted: SlurmProject):
    for log in ("convert_model/first.log", "score_queries/first/weat/toy.log"):
        assert (submitted.folder / "results/logs" / log).is_file()
    assert submitted.slurm_logs() == []


def test_a_cancelled_job_is_submitted_again_and_its_log_kept(converted: SlurmProject):
    shutil.rmtree(converted.folder / "results/models")
    run = converted.start(*CONVERSION)
    job = converted.wait_for_running(1)
    ask("scancel", job)
    converted.finish(run)
    assert len(converted.submissions()) == 2
    (log,) = converted.slurm_logs()
    assert log == converted.folder / f"results/logs/slurm/group_model_convert_model/{job}.log"
    assert "CANCELLED" in log.read_text()


def test_a_job_whose_node_goes_down_runs_when_the_node_is_back(
    converted: SlurmProject, local: Project
):
    node = ask("sinfo", "--noheader", "--format=%n")
    run = converted.start(CELL)
    job = converted.wait_for_running(1)
    ask("scontrol", "update", f"nodename={node}", "state=down", "reason=test")
    try:
        wait_until(lambda: state(job) == "PENDING", "the job back in the queue")
    finally:
        ask("scontrol", "update", f"nodename={node}", "state=resume")
    converted.finish(run)
    assert converted.submissions() == [job]
    assert (converted.folder / CELL).read_bytes() == (local.folder / CELL).read_bytes()


def test_a_job_that_needs_more_memory_gets_it_at_its_second_attempt(
    converted: SlurmProject, local: Project
):
    line = "        statistic = float(first.sum() - second.sum())"
    ballast = '        ballast = b"x" * (900 << 20)\n        __import__("time").sleep(3)\n'
    metric = "scripts/fairflow/metrics/weat.py"
    converted.edit(metric, line, f"{ballast}{line}\n        del ballast")
    converted.finish(converted.start(CELL))
    first, second = converted.submissions()
    assert state(first) in ("FAILED", "OUT_OF_MEMORY", "CANCELLED")
    assert state(second) == "COMPLETED"
    (log,) = converted.slurm_logs()
    assert "exceeded memory limit" in log.read_text()
    # Not the same bytes: the edited metric gives the cells other digests.
    made, expected = (pd.read_parquet(one.folder / CELL) for one in (converted, local))
    assert_frame_equal(made, expected)


def test_snakemake_killed_and_started_again_repeats_unfinished_jobs_only(
    converted: SlurmProject, local: Project
):
    cells = [CELL, CELL.replace("first", "first-normalised")]
    one_by_one = [*cells, "--jobs", "1", "--group-components", "cells=1"]
    run = converted.start(*one_by_one)
    left = converted.wait_for_running(2)
    (finished,) = (converted.folder / cell for cell in cells if (converted.folder / cell).exists())
    date = finished.stat().st_mtime_ns
    run.send_signal(signal.SIGKILL)
    run.wait(timeout=10)
    assert state(left) == "RUNNING"
    converted.finish(converted.start(*one_by_one))
    assert state(left) == "CANCELLED"
    assert len(converted.submissions()) == 3
    assert finished.stat().st_mtime_ns == date
    for cell in cells:
        assert (converted.folder / cell).read_bytes() == (local.folder / cell).read_bytes()
