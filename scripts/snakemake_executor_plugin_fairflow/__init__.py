"""Snakemake's executor plugin `fairflow`: `--executor fairflow`, where its folder is on PYTHONPATH.

Runs jobs on this machine as Snakemake's own executor does, but does not start Python anew for each
script of this workflow: a script runs in a fork of a process that has imported what it needs.
Start-up is most of what a small job costs. All other jobs are left to that executor.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterable
from concurrent.futures import Future
from contextlib import nullcontext
from pathlib import Path

from snakemake.benchmark import BenchmarkRecord, benchmarked, write_benchmark_records
from snakemake.exceptions import SpawnedJobError
from snakemake.executors.local import Executor as LocalExecutor
from snakemake.executors.local import common_settings
from snakemake.iocontainers import Snakemake
from snakemake.sourcecache import infer_source_file
from snakemake_interface_executor_plugins.jobs import SingleJobExecutorInterface

from fairflow.errors import FairflowError
from fairflow.files.atomic import atomic_path
from fairflow.progress.run import killed_by
from snakemake_executor_plugin_fairflow.parent import Parent

__all__ = ["Executor", "common_settings"]

SCRIPTS = Path(__file__).parents[1].resolve()
# Jobs, and seconds: Snakemake's max_jobs_per_timespan where nobody sets it.
DEFAULT_LIMIT = (100, 1)
# Of a job, in the order in which `Snakemake` takes it.
GIVEN = ("input", "output", "params", "wildcards", "threads", "resources", "log")
TEMPORARY = ("TMPDIR", "TMP", "TEMPDIR", "TEMP")


class Executor(LocalExecutor):
    """Snakemake's executor of this machine, with forks for scripts."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._parents: dict[int, Parent] = {}

    def run_single_job(self, job: SingleJobExecutorInterface) -> Future:
        """Run a job in a thread of its own that waits for it."""
        _lift_rate_limit(self.workflow)
        script = self._script_of(job)
        if script is None:
            return super().run_single_job(job)
        self.workflow.async_run(job.prepare())
        parent = self._parents.setdefault(job.threads, Parent(SCRIPTS, job.threads))
        return self.pool.submit(self.cached_or_run, job, self._run_script, job, script, parent)

    def shutdown(self) -> None:
        """End the jobs and the processes that they are forked from."""
        super().shutdown()
        for parent in self._parents.values():
            parent.close()

    # Snakemake's own executor does the same in both.
    cancel = shutdown

    def _script_of(self, job: SingleJobExecutorInterface) -> Path | None:
        """The script of a job that can be forked, or None."""
        rule = job.rule
        deployed = bool(self.workflow.deployment_settings.deployment_method)
        # Elsewhere a fork may lack what the system's own libraries hold.
        elsewhere = sys.platform != "linux"
        unlike = (elsewhere, job.is_shadow, deployed, job.resources.get("shell_exec"))
        debugged = self.workflow.execution_settings.debug
        if not rule.script or any(unlike) or debugged or (job.benchmark_repeats or 1) > 1:
            return None
        source = infer_source_file(rule.script, infer_source_file(rule.basedir))
        script = Path(source.get_path_or_uri(secret_free=True)).resolve()
        return script if script.parent == SCRIPTS and script.suffix == ".py" else None

    def _run_script(self, job: SingleJobExecutorInterface, script: Path, parent: Parent) -> None:
        """Run a script, and write what it cost where the rule asks for that.

        Raises
        ------
        SpawnedJobError : it failed, which its log tells, or what it cost cannot be written.
        """
        record = BenchmarkRecord()

        def watched(number: int) -> object:
            return benchmarked(number, record) if job.benchmark else nullcontext()

        if status := parent.run(self._described(job, script), watched):
            if status < 0:
                _write(killed_by(-status), job.log)
            raise SpawnedJobError()
        if job.benchmark:
            record.rule_name = job.rule.name
            for name in ("jobid", "wildcards", "params", "resources", "threads", "input"):
                setattr(record, name, getattr(job, name))
            extended = self.workflow.output_settings.benchmark_extended
            try:
                with atomic_path(str(job.benchmark)) as path:
                    write_benchmark_records([record], str(path), extended)
            except FairflowError as error:
                # What a full disk is told by, in a line of the run.
                print(error, file=sys.stderr)
                raise SpawnedJobError() from error

    def _described(self, job: SingleJobExecutorInterface, script: Path) -> dict[str, object]:
        """A job as `forking.run_script` takes it."""
        of_job = (getattr(job, name) for name in GIVEN)
        folder = str(script.parent)
        given = Snakemake(*of_job, self.workflow.config, job.rule.name, None, folder)
        temporary = job.resources.get("tmpdir")
        return {
            "script": str(script),
            "snakemake": pickle.dumps(given),
            "environment": dict.fromkeys(TEMPORARY, temporary) if temporary else {},
        }


def _lift_rate_limit(workflow: object) -> None:
    """Take the default rate limit from the scheduler, which passes again for each job done.

    Snakemake 9.27 sets a timer for one more pass after every pass while there is a limit
    (workflow/site/pages/snakemake.md). Another limit stays, and so does all else where another
    version of Snakemake has no such attributes.
    """
    scheduler = getattr(workflow, "scheduler", None)
    limiter = getattr(scheduler, "job_rate_limiter", None)
    if (getattr(limiter, "max_jobs", None), getattr(limiter, "timespan", None)) == DEFAULT_LIMIT:
        scheduler.resources["_job_count"] = sys.maxsize
        scheduler.job_rate_limiter = None


def _write(line: str, logs: Iterable[str]) -> None:
    """Add to the logs of a job what it could not write any more itself."""
    for log in logs:
        with open(log, "a", encoding="utf-8") as file:
            file.write(f"{line}\n")
