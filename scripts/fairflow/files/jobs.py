"""The log and the progress of a job, for whoever watches the run."""

from __future__ import annotations

import json
import logging
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fairflow.errors import FairflowError
from fairflow.files.atomic import NO_ROOM, atomic_path

ROOM = "Make room, then start the same command again: it goes on where it stopped."
ADVICE = "make .venv/workflow installs what the rules need, make .venv/language-models also torch."


@contextmanager
def log_to(path: str | Path) -> Iterator[None]:
    """Send log records to a file; an error goes there with its traceback and ends the process.

    The terminal shows the sentence of a `FairflowError`, what to do about a package that is not
    installed or a full disk, and the traceback of any other error.
    """
    logging.basicConfig(filename=path, filemode="w", level=logging.INFO, force=True)
    try:
        yield
    except KeyboardInterrupt:
        # Whoever pressed the key knows why the job ends.
        raise SystemExit(128 + signal.SIGINT) from None
    except Exception as error:
        full = isinstance(error, OSError) and error.errno in NO_ROOM
        missing = isinstance(error, ModuleNotFoundError)
        advice = f"{ADVICE}\n" if missing else f"{ROOM}\n" if full else ""
        # On a full disk the log may not be written either.
        with suppress(OSError):
            Path(path).write_text(traceback.format_exc() + advice)
        if not (full or missing or isinstance(error, FairflowError)):
            raise
        print(f"{error}\n{advice}", end="", file=sys.stderr)
        raise SystemExit(1) from None


@contextmanager
def running(job: Any) -> Iterator[Any]:
    """The job of a script, as Snakemake gives it; its log gets the records and any error."""
    with log_to(str(job.log)):
        yield job


_NAME = "progress.json"


@dataclass(frozen=True)
class JobProgress:
    """How far a job is.

    Attributes
    ----------
    done, total : items. found : of those done, the ones that an earlier run had left.
    seconds : that the others took. written : the time of writing, in seconds since the epoch.
    """

    done: int
    total: int
    found: int
    seconds: float
    written: float

    def seconds_left(self, now: float) -> float | None:
        """How long the rest may take; None while nothing was done in this run.

        Parameters
        ----------
        now : on the clock of `written`.
        """
        made = self.done - self.found
        if made <= 0:
            return None
        rest = self.seconds / made * (self.total - self.done)
        return max(0.0, rest - max(0.0, now - self.written))


def partial_folder(output: str | Path) -> Path:
    """The folder for finished parts of `output` while the job is running.

    Of results/tokens/MODEL/FILE.parquet it is results/partial/tokens/MODEL/FILE: no result is
    looked for there.
    """
    *before, last = Path(output).with_suffix("").parts
    # The last folder of this name, as a project may be among another's results.
    place = next((n for n in range(len(before), 0, -1) if before[n - 1] == "results"), len(before))
    return Path(*before[:place], "partial", *before[place:], last)


def write_job_progress(progress: JobProgress, output: str | Path) -> None:
    """Write the progress of the job that makes `output`."""
    with atomic_path(partial_folder(output) / _NAME) as temporary:
        temporary.write_text(json.dumps(asdict(progress)) + "\n")


def read_job_progress(output: str | Path) -> JobProgress | None:
    """The last progress of the job that makes `output`; None if the job reports no progress."""
    try:
        return JobProgress(**json.loads((partial_folder(output) / _NAME).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None
