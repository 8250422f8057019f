"""Reports a run to the terminal while it runs, and keeps the whole output in a file."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from io import StringIO
from pathlib import Path
from threading import Event, RLock, Thread
from typing import TextIO

from fairflow.files.jobs import read_job_progress
from fairflow.progress.run import (
    Run,
    Step,
    counted,
    earlier_seconds,
    failure,
    failure_together,
    in_words,
    live_line,
    minute_line,
)

RED, BOLD, PLAIN = "\033[31m", "\033[1m", "\033[0m"
ERASE = "\r\033[2K"


class Screen:
    """A stream of permanent lines, with a line below them that changes on a terminal.

    Parameters
    ----------
    environment : TERM=dumb turns a terminal into a log; NO_COLOR removes the colours.
    """

    def __init__(self, stream: TextIO, environment: Mapping[str, str] = os.environ) -> None:
        self.stream = stream
        self.is_live = stream.isatty() and environment.get("TERM") not in (None, "", "dumb")
        self.has_colours = self.is_live and not environment.get("NO_COLOR")
        self._live = ""

    @property
    def width(self) -> int:
        """Columns of the changing line; the last column is free, or the terminal would wrap."""
        return shutil.get_terminal_size().columns - 1

    @property
    def ellipsis(self) -> str:
        """What replaces words that are cut."""
        return "…" if "utf" in (self.stream.encoding or "").lower() else "..."

    def say(self, text: str, colour: str = "") -> None:
        """Show permanent lines above the changing line, the first of them in a colour."""
        if colour and self.has_colours:
            first, newline, rest = text.partition("\n")
            text = f"{colour}{first}{PLAIN}{newline}{rest}"
        self._write(f"{ERASE if self._live else ''}{text}\n{self._live}")

    def change(self, line: str) -> None:
        """Replace the changing line; an empty line removes it."""
        if self.is_live and line != self._live:
            self._live = line
            self._write(ERASE + line)

    def _write(self, text: str) -> None:
        try:
            encoding = self.stream.encoding or "utf-8"
            self.stream.write(text.encode(encoding, "replace").decode(encoding))
            self.stream.flush()
        except (OSError, ValueError):
            # The run continues when its terminal was closed.
            self._live = ""


_STANDARD_ERROR = 2


class WholeOutput:
    """A file for the whole output, and the terminal for what a person reads.

    From `open` to `close` the standard error of this process and its children goes into the file,
    so that a traceback of a job does not appear between the lines of the terminal.

    Attributes
    ----------
    terminal : the original standard error. path : of the file; None before `open`.
    """

    def __init__(self) -> None:
        descriptor = os.dup(_STANDARD_ERROR)
        self.terminal: TextIO = os.fdopen(descriptor, "w", errors="replace")
        self.path: Path | None = None
        self._file: TextIO = StringIO()

    def write(self, text: str) -> None:
        """Add lines to the file; lines before `open` are kept until then."""
        # On a full disk the run itself reports the error.
        with suppress(OSError):
            self._file.write(f"{text}\n")

    def open(self, folder: Path) -> None:
        """Create the file, named after the time; if it cannot be written, nothing changes."""
        path = folder / f"{time.strftime('%Y-%m-%dT%H-%M-%S')}.log"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = path.open("a", encoding="utf-8", errors="replace", buffering=1)
        except OSError:
            return
        file.write(self._file.getvalue())
        self.path, self._file = path, file
        os.dup2(file.fileno(), _STANDARD_ERROR)

    def close(self, give_back: bool = True) -> None:
        """Close the file.

        Parameters
        ----------
        give_back : whether standard error is restored; otherwise it still goes into the file.
        """
        if self.path:
            if give_back:
                os.dup2(self.terminal.fileno(), _STANDARD_ERROR)
            with suppress(OSError):
                self._file.close()
            self._file = StringIO()


# Seconds between two updates of the changing line.
TICK = 0.5
# Seconds between two readings of the progress that running steps report.
LISTEN = 5.0


class Reporter:
    """Receives the events of a run; use it inside `with`, which locks it.

    Parameters
    ----------
    interval : seconds between two lines if the output is not a terminal.
    screen, clock, now : for tests; the time of day in words, and in seconds.
    """

    def __init__(
        self,
        interval: float,
        screen: Screen | None = None,
        clock: Callable[[], str] = lambda: time.strftime("%H:%M"),
        now: Callable[[], float] = time.time,
    ) -> None:
        self._output = WholeOutput()
        self._screen = screen or Screen(self._output.terminal)
        self._interval = TICK if self._screen.is_live else interval
        self._clock, self._now = clock, now
        self._lock = RLock()
        self._ended = Event()
        self._run: Run | None = None
        self._heard = -LISTEN
        self._stopped = self._cut_off = self._up_to_date = False

    def __enter__(self) -> Reporter:
        self._lock.acquire()
        return self

    def __exit__(self, *error: object) -> None:
        self._lock.release()

    @property
    def has_begun(self) -> bool:
        """Whether the steps of the run are known."""
        return self._run is not None

    def note(self, text: str) -> None:
        """Write to the file alone."""
        if text:
            self._output.write(text)

    def plan(self) -> None:
        """Planning starts."""
        self._screen.change("Planning ...")

    def start(self, steps: Mapping[str, int], now: float, results: Path) -> None:
        """The number of steps of each rule is known; the first step starts.

        Parameters
        ----------
        results : folder of the logs, and of the benchmarks of an earlier run.
        """
        if self._run:
            return
        self._run = Run(steps, now, earlier_seconds(results / "benchmarks", steps))
        self._output.open(results / "logs" / "snakemake")
        if not self._screen.is_live:
            self._screen.say(f"{counted(self._run.total)} to do")
        Thread(target=self._watch, daemon=True).start()

    def begin(self, number: int, step: Step) -> None:
        """A step starts; the first is shown at once, because it may be short."""
        if self._run:
            first = not self._run.done and not self._run.running
            self._run.begin(number, step)
            if first:
                self._show()

    def end(self, number: int, now: float) -> None:
        """A step is done."""
        if self._run:
            self._run.end(number, now)

    def fail(self, number: int, step: Step, said: str = "") -> None:
        """A step failed; it is reported once.

        Parameters
        ----------
        step : what the failure says about the step. said : a message of the scheduler.
        """
        if self._run is None or number in self._run.failed:
            return
        begun = self._run.fail(number) or step
        self.problem(failure(replace(begun, logs=step.logs), said, self._output.path))

    def fail_together(
        self, numbers: Iterable[int], of_submission: list[str], of_steps: list[str]
    ) -> None:
        """A submission of several steps failed; one of them may be the only cause.

        Parameters
        ----------
        of_submission, of_steps : paths of logs.
        """
        if self._run:
            steps = [step for number in numbers if (step := self._run.fail(number))]
            self.problem(failure_together(steps, of_submission, of_steps))

    def problem(self, text: str) -> None:
        """Show a warning or an error, unless the run was interrupted."""
        if not self._cut_off:
            self._screen.say(text, RED)

    def stopping(self) -> None:
        """The user stops the run; running steps are finished."""
        self._stopped = True
        self._screen.say("Stopping after the running steps.", BOLD)

    def stop(self) -> None:
        """The user stops the run at once; steps that fail from now on were interrupted."""
        self._stopped = self._cut_off = True

    def nothing_to_do(self) -> None:
        """Every result exists."""
        self._up_to_date = True

    def close(self) -> None:
        """Report the end of the run, once."""
        if self._ended.is_set():
            return
        self._ended.set()
        with self:
            self._screen.change("")
            # An interrupted Snakemake may end with a traceback, which stays in the file.
            self._output.close(give_back=not self._stopped)
            colour, words = self._last_words()
            if words:
                self._screen.say(words, colour)
            self._output.terminal.close()

    def _last_words(self) -> tuple[str, str]:
        """The colour of the first line, and the lines."""
        run = self._run
        if run is None and self._stopped:
            return BOLD, "Stopped before any step started."
        if run is None:
            return "", "Nothing to do: every result is up to date." * self._up_to_date
        whole = f"\nWhole output: {self._output.path}" if self._output.path else ""
        spent = in_words(self._now() - run.since)
        if run.done == run.total:
            return BOLD, f"{counted(run.done)} done in {spent}.{whole}"
        are = "is" if run.total == 1 else "are"
        so_far = f"{run.done:,} of {counted(run.total)} {are} done and will be kept."
        if self._stopped:
            colour, cause, again = BOLD, "Stopped", "The same command continues from there."
        else:
            failed = len(run.failed)
            colour, cause = RED, f"{counted(failed)} failed" if failed else "Ended early"
            again = "When the cause is fixed, the same command continues from there."
        return colour, f"{cause} after {spent}; {so_far} {again}{whole}"

    def _watch(self) -> None:
        """Show the progress until the run ends."""
        while not self._ended.wait(self._interval):
            with self:
                if self._run is None or self._ended.is_set() or self._run.done == self._run.total:
                    return
                self._listen(self._run)
                if self._screen.is_live:
                    self._show()
                else:
                    self._screen.say(minute_line(self._run, self._now(), self._clock()))

    def _listen(self, run: Run) -> None:
        """Read the progress that running steps report, every few seconds."""
        if self._now() - self._heard < LISTEN:
            return
        self._heard = self._now()
        for number, step in run.running.items():
            for reported in filter(None, map(read_job_progress, step.outputs)):
                run.hear(number, reported)

    def _show(self) -> None:
        """Draw the changing line on a terminal."""
        if self._run and self._screen.is_live:
            screen = self._screen
            screen.change(live_line(self._run, self._now(), screen.width, screen.ellipsis))
