"""What the records of Snakemake's log say, handed to a reporter as plain values."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from logging import WARNING, LogRecord
from pathlib import Path
from typing import Any

from snakemake_interface_logger_plugins.common import LogEvent

from fairflow.progress.failures import killed_by
from fairflow.progress.reporter import Reporter
from fairflow.progress.run import Step

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
        if event in _TELLERS:
            _TELLERS[event](reporter, record)
        else:
            _tell_words(reporter, record, text)


def _tell_words(reporter: Reporter, record: LogRecord, text: str) -> None:
    """What is no event of a job: warnings and errors in full, and how the run stands."""
    if any(said in text for said in _STOPPED):
        reporter.stop()
    elif _STOPPING in text:
        reporter.stopping()
    elif _NOTHING in text:
        reporter.nothing_to_do()
    elif (number := _signal_in(text)) not in (0, signal.SIGINT):
        reporter.problem(killed_by(number))
    elif record.levelno >= WARNING and text and not any(said in text for said in _TOLD):
        reporter.problem(text)


def _signal_in(text: str) -> int:
    """The number of the signal that a process ended by; 0 where none did."""
    found = _KILLED.search(text)
    return int(found[1] or max(0, int(found[2]) - 128)) if found else 0


def _started(reporter: Reporter, record: LogRecord) -> None:
    steps = {rule: number for rule, number in record.stats.items() if rule != "total"}
    reporter.start(steps, record.created, Path("results"))


def _step_begins(reporter: Reporter, record: LogRecord) -> None:
    step = Step(
        rule=record.rule_name,
        message=record.rule_msg or record.rule_name,
        since=record.created,
        names=dict(record.wildcards or {}),
        outputs=tuple(record.output),
        logs=tuple(record.log),
    )
    reporter.begin(record.jobid, step)


def _step_fails(reporter: Reporter, record: LogRecord) -> None:
    # What the scheduler of a cluster says, and the log of the submission before that of the rule.
    step = Step(
        rule=record.rule_name,
        message=record.rule_name,
        since=record.created,
        outputs=tuple(record.output),
        logs=tuple(record.log),
    )
    reporter.fail(record.jobid, step, str(record.rule_msg or ""))


def _group_fails(reporter: Reporter, record: LogRecord) -> None:
    steps = record.job_error_info
    numbers = [step["jobid"] for step in steps]
    logs = [log for step in steps for log in step["log"] if log not in record.aux_logs]
    reporter.fail_together(numbers, list(record.aux_logs), logs)


_TELLERS: dict[LogEvent, Callable[[Reporter, LogRecord], None]] = {
    LogEvent.RUN_INFO: _started,
    LogEvent.JOB_INFO: _step_begins,
    LogEvent.JOB_FINISHED: lambda reporter, record: reporter.end(record.job_id, record.created),
    LogEvent.JOB_ERROR: _step_fails,
    LogEvent.GROUP_ERROR: _group_fails,
}
