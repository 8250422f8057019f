"""A log file for a job: its messages, and the traceback if it fails."""

from __future__ import annotations

import logging
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fairflow.errors import FairflowError

ADVICE = (
    "make .venv/workflow installs what the rules need, make .venv/language-models torch besides."
)


@contextmanager
def log_to(path: str | Path) -> Iterator[None]:
    """Send log records to a file; an error goes there with its traceback and ends the process.

    The terminal shows the sentence of a `FairflowError`, what to do about a package that is not
    installed, and the traceback of any other error.
    """
    logging.basicConfig(filename=path, filemode="w", level=logging.INFO, force=True)
    try:
        yield
    except KeyboardInterrupt:
        # Whoever pressed the key knows why the job ends.
        raise SystemExit(128 + signal.SIGINT) from None
    except Exception as error:
        advice = f"{ADVICE}\n" if isinstance(error, ModuleNotFoundError) else ""
        # On a full disk the log may not be written either.
        with suppress(OSError):
            Path(path).write_text(traceback.format_exc() + advice)
        if not isinstance(error, (FairflowError, ModuleNotFoundError)):
            raise
        print(f"{error}\n{advice}", end="", file=sys.stderr)
        raise SystemExit(1) from None
