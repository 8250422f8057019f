"""Snakemake's logger plugin `fairflow`: `--logger fairflow`, where this folder is on PYTHONPATH.

What a person reads goes to the terminal or the log: how far the run is, what failed, how it ended.
All that Snakemake and its jobs say goes into one file in results/logs/snakemake.
"""

from __future__ import annotations

import atexit
import re
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from logging import WARNING, LogRecord
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any, NoReturn

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_interface_logger_plugins.settings import LogHandlerSettingsBase

from fairflow.progress.reporter import Reporter
from fairflow.progress.run import Step, killed_by


@dataclass
class LogHandlerSettings(LogHandlerSettingsBase):
    """What a command line may set: `--logger-fairflow-interval`."""

    interval: float | None = field(
        default=60.0,
        metadata={
            "help": "Seconds between two lines where the output is no terminal.",
            "env_var": False,
            "required": False,
            "type": float,
        },
    )


class LogHandler(LogHandlerBase):
    """Hands what Snakemake tells of its jobs to a `Reporter`."""

    def __post_init__(self) -> None:
        interval = getattr(self.settings, "interval", None) or LogHandlerSettings.interval
        self._reporter: Reporter | None = None
        self._on_interrupt(self._stop)
        if not self.common_settings.dryrun:
            self._reporter = Reporter(interval)
            # Interrupted in here, Snakemake does not know of this handler.
            atexit.register(self.close)
            # Last, for whoever reads it may press the key at once.
            self._reporter.plan()

    def _stop(self, *_signal: object) -> NoReturn:
        """Ctrl-C. The handler of asyncio only cancels a task, which may be done all the same."""
        if self._reporter:
            self._reporter.stop()
        if self._reporter is None or not self._reporter.has_begun:
            # Snakemake would show where in its planning it was.
            raise SystemExit(128 + signal.SIGINT)
        raise KeyboardInterrupt

    def _on_interrupt(self, handler: Callable[..., Any] | signal.Handlers) -> None:
        """Have Ctrl-C handled where there is something to tell."""
        if not self.common_settings.dryrun and current_thread() is main_thread():
            signal.signal(signal.SIGINT, handler)

    def emit(self, record: LogRecord) -> None:
        """Tell of one record; that of a dry run is shown as it is."""
        try:
            tell(self._reporter, record, self.format)
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Tell how the run ended."""
        if self._reporter:
            self._reporter.close()
        # All is told: Ctrl-C now ends what is left of Snakemake without a traceback.
        self._on_interrupt(signal.SIG_DFL)
        super().close()

    # Snakemake shows nothing else on the terminal,
    writes_to_stream = True
    # names no file of this handler as its log,
    writes_to_file = False
    # lets every record through, whatever is to be quiet,
    has_filter = True
    # puts records in words as it does for its own log,
    has_formatter = False
    # and draws no graph.
    needs_rulegraph = False


# How Snakemake tells again, in its own words, what a reporter has told or will tell.
_TOLD = (
    "CalledProcessError in file",
    "At least one job did not complete successfully",
    "Exiting because a job execution failed",
    "Will not attempt to finish",
)
# Of a process of its own, as Python and as a shell tell of a signal; Ctrl-C is nobody's error.
_KILLED = re.compile(r"died with <Signals\.\w+: (\d+)>|returned non-zero exit status (\d+)")
_STOPPED = ("Terminating processes on user request", "Cancelling snakemake on user request")
_STOPPING = "Will exit after finishing currently running jobs"
_NOTHING = "Nothing to be done"
# Of no use without --printshellcmds and --debug-dag, which have files of their own to go to.
_UNSAID = (LogEvent.SHELLCMD, LogEvent.DEBUG_DAG, LogEvent.RULEGRAPH)


def tell(reporter: Reporter | None, record: LogRecord, in_words: Callable[[Any], str]) -> None:
    """Hand one record to a reporter.

    Parameters
    ----------
    reporter : None in a dry run, whose records are shown as they are.
    in_words : makes of a record the text that Snakemake's own log has.
    """
    event = getattr(record, "event", None)
    text = "" if event in _UNSAID else in_words(record)
    text = "" if text == "None" else text
    if reporter is None:
        if text:
            print(text, flush=True)
        return
    with reporter:
        reporter.note(text)
        match event:
            case LogEvent.RUN_INFO:
                steps = {rule: number for rule, number in record.stats.items() if rule != "total"}
                reporter.start(steps, record.created, Path("results"))
            case LogEvent.JOB_INFO:
                reporter.begin(record.jobid, _step(record, record.rule_msg, record.wildcards))
            case LogEvent.JOB_FINISHED:
                reporter.end(record.job_id, record.created)
            case LogEvent.JOB_ERROR:
                # What the scheduler of a cluster says is told besides.
                reporter.fail(record.jobid, _step(record), str(record.rule_msg or ""))
            case LogEvent.GROUP_ERROR:
                # The log of the submission comes before those of the rules.
                logs = [log for step in record.job_error_info for log in step["log"]]
                of_steps = [log for log in logs if log not in record.aux_logs]
                numbers = [step["jobid"] for step in record.job_error_info]
                reporter.fail_together(numbers, list(record.aux_logs), of_steps)
            case _:
                _tell_words(reporter, record, text)


def _step(
    record: LogRecord, message: str | None = None, names: Mapping[str, str] | None = None
) -> Step:
    files = tuple(record.output), tuple(record.log)
    message = message or record.rule_name
    return Step(record.rule_name, message, record.created, dict(names or {}), *files)


def _tell_words(reporter: Reporter, record: LogRecord, text: str) -> None:
    """What is no event of a job: warnings and errors in full, and how the run stands."""
    killed = _KILLED.search(text)
    # The number of the signal that a process ended by; 0 where none did.
    number = int(killed[1] or max(0, int(killed[2]) - 128)) if killed else 0
    if any(said in text for said in _STOPPED):
        reporter.stop()
    elif _STOPPING in text:
        reporter.stopping()
    elif _NOTHING in text:
        reporter.nothing_to_do()
    elif number not in (0, signal.SIGINT):
        reporter.problem(killed_by(number))
    elif record.levelno >= WARNING and text and not any(said in text for said in _TOLD):
        reporter.problem(text)
