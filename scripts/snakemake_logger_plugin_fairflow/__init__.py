"""Snakemake's logger plugin `fairflow`: `--logger fairflow`, with its parent on PYTHONPATH.

The terminal gets the progress of the run, its failures and its end. A file in
results/logs/snakemake gets the whole output of Snakemake and its jobs.
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

from fairflow.progress.run import Reporter, Step, killed_by


@dataclass
class LogHandlerSettings(LogHandlerSettingsBase):
    """The option of the command line: `--logger-fairflow-interval`."""

    interval: float | None = field(
        default=60.0,
        metadata={
            "help": "Seconds between two lines.",
            "env_var": False,
            "required": False,
            "type": float,
        },
    )


class LogHandler(LogHandlerBase):
    """Hands the events of Snakemake to a `Reporter`."""

    def __post_init__(self) -> None:
        interval = getattr(self.settings, "interval", None) or LogHandlerSettings.interval
        self._reporter: Reporter | None = None
        self._on_interrupt(self._stop)
        if not self.common_settings.dryrun:
            self._reporter = Reporter(interval)
            # If the run is interrupted in this method, Snakemake does not know this handler yet.
            atexit.register(self.close)

    def _stop(self, *_signal: object) -> NoReturn:
        """Handle Ctrl-C. The handler of asyncio only cancels a task, which may complete anyway."""
        if self._reporter:
            self._reporter.stop()
        if self._reporter is None or not self._reporter.has_begun:
            # Without a traceback of Snakemake's planning.
            raise SystemExit(128 + signal.SIGINT)
        raise KeyboardInterrupt

    def _on_interrupt(self, handler: Callable[..., Any] | signal.Handlers) -> None:
        """Set the handler of Ctrl-C in a run that is reported."""
        if not self.common_settings.dryrun and current_thread() is main_thread():
            signal.signal(signal.SIGINT, handler)

    def emit(self, record: LogRecord) -> None:
        """Report one record; records of a dry run are printed unchanged."""
        try:
            report(self._reporter, record, self.format)
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Report the end of the run."""
        if self._reporter:
            self._reporter.close()
        # From here on Ctrl-C ends the rest of Snakemake without a traceback.
        self._on_interrupt(signal.SIG_DFL)
        super().close()

    # For Snakemake: nothing else is shown on the terminal,
    writes_to_stream = True
    # no file of this handler is its log,
    writes_to_file = False
    # every record is passed on, whatever is to be quiet,
    has_filter = True
    # records are formatted as for its own log,
    has_formatter = False
    # and no graph is drawn.
    needs_rulegraph = False


# Messages of Snakemake that repeat what a reporter reports.
_REPEATED = (
    "CalledProcessError in file",
    "At least one job did not complete successfully",
    "Exiting because a job execution failed",
    "Will not attempt to finish",
)
# How Python and a shell report the signal that ended a process; Ctrl-C is not an error.
_KILLED = re.compile(r"died with <Signals\.\w+: (\d+)>|returned non-zero exit status (\d+)")
_STOPPED = ("Terminating processes on user request", "Cancelling snakemake on user request")
_STOPPING = "Will exit after finishing currently running jobs"
_NOTHING = "Nothing to be done"
# Needed only with --printshellcmds and --debug-dag.
_IGNORED = (LogEvent.SHELLCMD, LogEvent.DEBUG_DAG, LogEvent.RULEGRAPH)


def report(reporter: Reporter | None, record: LogRecord, in_words: Callable[[Any], str]) -> None:
    """Hand one record to a reporter.

    Parameters
    ----------
    reporter : None in a dry run, whose records are printed unchanged.
    in_words : gives the text of a record in Snakemake's own log.
    """
    event = getattr(record, "event", None)
    text = "" if event in _IGNORED else in_words(record)
    text = "" if text == "None" else text
    if reporter is None:
        if text:
            print(text, flush=True)
        return
    with reporter:
        reporter.note(text)
        match event:
            case LogEvent.RUN_INFO:
                reporter.start(
                    record.stats["total"], record.created, Path("results/logs/snakemake")
                )
            case LogEvent.JOB_INFO:
                reporter.begin(record.jobid, _step(record, record.rule_msg, record.wildcards))
            case LogEvent.JOB_FINISHED:
                reporter.end(record.job_id)
            case LogEvent.JOB_ERROR:
                # With the message of a cluster's scheduler.
                reporter.fail(record.jobid, _step(record), str(record.rule_msg or ""))
            case LogEvent.GROUP_ERROR:
                # The log of the submission comes before those of the rules.
                logs = [log for step in record.job_error_info for log in step["log"]]
                of_steps = [log for log in logs if log not in record.aux_logs]
                numbers = [step["jobid"] for step in record.job_error_info]
                reporter.fail_together(numbers, list(record.aux_logs), of_steps)
            case _:
                _report_message(reporter, record, text)


def _step(
    record: LogRecord, message: str | None = None, names: Mapping[str, str] | None = None
) -> Step:
    files = tuple(record.output), tuple(record.log)
    message = message or record.rule_name
    return Step(record.rule_name, message, record.created, dict(names or {}), *files)


def _report_message(reporter: Reporter, record: LogRecord, text: str) -> None:
    """Report a record that is not an event of a job: a warning, an error, a stop."""
    killed = _KILLED.search(text)
    # The number of the signal that ended a process, or 0.
    number = int(killed[1] or max(0, int(killed[2]) - 128)) if killed else 0
    if any(said in text for said in _STOPPED):
        reporter.stop()
    elif _STOPPING in text:
        reporter.stopping()
    elif _NOTHING in text:
        reporter.nothing_to_do()
    elif number not in (0, signal.SIGINT):
        reporter.problem(killed_by(number))
    elif record.levelno >= WARNING and text and not any(said in text for said in _REPEATED):
        reporter.problem(text)
