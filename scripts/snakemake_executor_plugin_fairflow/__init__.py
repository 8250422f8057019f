"""Snakemake's executor plugin `fairflow`: `--executor fairflow`, with its parent on PYTHONPATH.

It runs jobs on this machine like Snakemake's own executor, but starts no new Python for the scripts
of this workflow: a script runs in a fork of a process that has already imported its modules.
Starting Python is most of the time of a small job. Snakemake's own executor runs all other jobs.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterable
from concurrent.futures import Future
from pathlib import Path
from resource import struct_rusage
from time import monotonic

from snakemake.benchmark import BenchmarkRecord, write_benchmark_records
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
# Jobs and seconds: the default of Snakemake's max_jobs_per_timespan.
DEFAULT_LIMIT = (100, 1)
# Attributes of a job, in the order of the arguments of `Snakemake`.
GIVEN = ("input", "output", "params", "wildcards", "threads", "resources", "log")
TEMPORARY = ("TMPDIR", "TMP", "TEMPDIR", "TEMP")


class Executor(LocalExecutor):
    """Snakemake's executor of this machine, with forks for scripts."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._parents: dict[int, Parent] = {}

    def run_single_job(self, job: SingleJobExecutorInterface) -> Future:
        """Run a job; a separate thread waits for it."""
        _lift_rate_limit(self.workflow)
        script = self._script_of(job)
        if script is None:
            return super().run_single_job(job)
        self.workflow.async_run(job.prepare())
        parent = self._parents.setdefault(job.threads, Parent(SCRIPTS, job.threads))
        return self.pool.submit(self.cached_or_run, job, self._run_script, job, script, parent)

    def shutdown(self) -> None:
        """End the jobs and the processes from which they are forked."""
        super().shutdown()
        for parent in self._parents.values():
            parent.close()

    # As in Snakemake's own executor.
    cancel = shutdown

    def _script_of(self, job: SingleJobExecutorInterface) -> Path | None:
        """The script of a job that can be forked, or None."""
        rule = job.rule
        deployed = bool(self.workflow.deployment_settings.deployment_method)
        # On other systems a fork may lose the state of system libraries.
        elsewhere = sys.platform != "linux"
        unlike = (elsewhere, job.is_shadow, deployed, job.resources.get("shell_exec"))
        debugged = self.workflow.execution_settings.debug
        if not rule.script or any(unlike) or debugged or (job.benchmark_repeats or 1) > 1:
            return None
        source = infer_source_file(rule.script, infer_source_file(rule.basedir))
        script = Path(source.get_path_or_uri(secret_free=True)).resolve()
        return script if SCRIPTS in script.parents and script.suffix == ".py" else None

    def _run_script(self, job: SingleJobExecutorInterface, script: Path, parent: Parent) -> None:
        """Run a script, and write its benchmark if the rule has one.

        Raises
        ------
        SpawnedJobError : the script failed, see its log, or the benchmark cannot be written.
        """
        begun = monotonic()
        status, usage = parent.run(self._described(job, script))
        if status:
            if status < 0:
                _write(killed_by(-status), job.log)
            raise SpawnedJobError()
        if job.benchmark:
            record = _cost(monotonic() - begun, usage)
            record.rule_name = job.rule.name
            for name in ("jobid", "wildcards", "params", "resources", "threads", "input"):
                setattr(record, name, getattr(job, name))
            extended = self.workflow.output_settings.benchmark_extended
            try:
                with atomic_path(str(job.benchmark)) as path:
                    write_benchmark_records([record], str(path), extended)
            except FairflowError as error:
                # A full disk, for example.
                print(error, file=sys.stderr)
                raise SpawnedJobError() from error

    def _described(self, job: SingleJobExecutorInterface, script: Path) -> dict[str, object]:
        """A job as the argument of `forking.run_script`."""
        of_job = (getattr(job, name) for name in GIVEN)
        folder = str(script.parent)
        given = Snakemake(*of_job, self.workflow.config, job.rule.name, None, folder)
        temporary = job.resources.get("tmpdir")
        return {
            "script": str(script),
            "snakemake": pickle.dumps(given),
            "environment": dict.fromkeys(TEMPORARY, temporary) if temporary else {},
        }


def _cost(seconds: float, usage: struct_rusage | None) -> BenchmarkRecord:
    """What a job used, as its system counted it; what that does not count is missing.

    Snakemake's own samples, each half a second, miss most of a short job.
    """
    record = BenchmarkRecord(running_time=seconds)
    record.data_collected, record.process_gone = usage is not None, True
    if usage is not None:
        record.cpu_time = usage.ru_utime + usage.ru_stime
        # Percent times seconds, as Snakemake divides it by seconds.
        record.cpu_usage = 100 * record.cpu_time
        record.max_rss = usage.ru_maxrss / 1024
        # Blocks of 512 bytes, in MB.
        record.io_in, record.io_out = usage.ru_inblock / 2048, usage.ru_oublock / 2048
    return record


def _lift_rate_limit(workflow: object) -> None:
    """Remove the scheduler's default rate limit, which makes it run again for each finished job.

    While there is a limit, Snakemake 9.27 sets a timer for another pass after every pass
    (workflow/site/pages/snakemake.md). Other limits are kept, and nothing changes if another
    version of Snakemake lacks these attributes.
    """
    scheduler = getattr(workflow, "scheduler", None)
    limiter = getattr(scheduler, "job_rate_limiter", None)
    if (getattr(limiter, "max_jobs", None), getattr(limiter, "timespan", None)) == DEFAULT_LIMIT:
        scheduler.resources["_job_count"] = sys.maxsize
        scheduler.job_rate_limiter = None


def _write(line: str, logs: Iterable[str]) -> None:
    """Add a line to the logs of a job that ended before it could write it."""
    for log in logs:
        with open(log, "a", encoding="utf-8") as file:
            file.write(f"{line}\n")
