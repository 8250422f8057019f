"""What a person reads during a run: a line a minute, failures and its end.

The whole output goes into a file.
"""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from threading import Event, RLock, Thread
from typing import TextIO

from fairflow.files.jobs import read_job_progress

_STANDARD_ERROR = 2
# The time left is estimated only after this many seconds and steps.
EARLY_SECONDS, EARLY_STEPS = 5.0, 3


@dataclass(frozen=True)
class Step:
    """A job of a run.

    Attributes
    ----------
    message : a description. names : wildcard -> its value.
    outputs, logs : paths of the files that it writes. since : its start, in seconds.
    """

    rule: str
    message: str
    since: float
    names: Mapping[str, str] = field(default_factory=dict)
    outputs: tuple[str, ...] = ()
    logs: tuple[str, ...] = ()


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

    def say(self, text: str) -> None:
        """Show lines on the terminal."""
        # The run continues when its terminal was closed.
        with suppress(OSError, ValueError):
            print(text, file=self.terminal, flush=True)

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
        if isinstance(self._file, StringIO):
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


class Reporter:
    """Receives the events of a run; use it inside `with`, which locks it.

    Parameters
    ----------
    interval : seconds between two lines.
    output : for tests.

    Attributes
    ----------
    total, done : numbers of steps. running : number -> step, in the order of their starts.
    failed : numbers of steps.
    """

    def __init__(self, interval: float, output: WholeOutput | None = None) -> None:
        self.total = self.done = 0
        self.running: dict[int, Step] = {}
        self.failed: set[int] = set()
        self._output = output or WholeOutput()
        self._interval = interval
        self._lock = RLock()
        self._ended = Event()
        self._since: float | None = None
        self._stopped = self._cut_off = self._up_to_date = False

    def __enter__(self) -> Reporter:
        self._lock.acquire()
        return self

    def __exit__(self, *error: object) -> None:
        self._lock.release()

    @property
    def has_begun(self) -> bool:
        """Whether the steps of the run are known."""
        return self._since is not None

    def note(self, text: str) -> None:
        """Write to the file alone."""
        if text:
            self._output.write(text)

    def start(self, total: int, now: float, logs: Path) -> None:
        """The number of steps is known; the first step starts."""
        if self._since is None:
            self.total, self._since = total, now
            self._output.open(logs)
            self._output.say(f"{counted_steps(total)} to do")
            Thread(target=self._watch, daemon=True).start()

    def begin(self, number: int, step: Step) -> None:
        """A step starts, perhaps again."""
        self.failed.discard(number)
        self.running[number] = step

    def end(self, number: int) -> None:
        """A step is done."""
        self.done += 1
        self.running.pop(number, None)

    def fail(self, number: int, step: Step, said: str = "") -> None:
        """A step failed; it is reported once.

        Parameters
        ----------
        step : what the failure says about the step. said : a message of the scheduler.
        """
        if number not in self.failed:
            self.failed.add(number)
            begun = self.running.pop(number, step)
            self.problem(failure(replace(begun, logs=step.logs), said, self._output.path))

    def fail_together(
        self, numbers: Iterable[int], of_submission: list[str], of_steps: list[str]
    ) -> None:
        """A submission of several steps failed; one of them may be the only cause.

        Parameters
        ----------
        of_submission, of_steps : paths of logs.
        """
        self.failed.update(numbers)
        steps = [self.running.pop(number) for number in numbers if number in self.running]
        self.problem(failure_together(steps, of_submission, of_steps))

    def problem(self, text: str) -> None:
        """Show a warning or an error, unless the run was interrupted."""
        if not self._cut_off:
            self._output.say(text)

    def stopping(self) -> None:
        """The user stops the run; running steps are finished."""
        self._stopped = True
        self._output.say("Stopping after the running steps.")

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
            # An interrupted Snakemake may end with a traceback, which stays in the file.
            self._output.close(give_back=not self._stopped)
            if words := self._last_words():
                self._output.say(words)
            self._output.terminal.close()

    def _last_words(self) -> str:
        if self._since is None and self._stopped:
            return "Stopped before any step started."
        if self._since is None:
            return "Nothing to do: every result is up to date." * self._up_to_date
        whole = f"\nWhole output: {self._output.path}" if self._output.path else ""
        spent = in_words(time.time() - self._since)
        if self.done == self.total:
            return f"{counted_steps(self.done)} done in {spent}.{whole}"
        so_far = f"{self.done:,} of {counted_steps(self.total)} done, which will be kept."
        if self._stopped:
            cause, again = "Stopped", "The same command continues from there."
        else:
            cause = f"{counted_steps(len(self.failed))} failed" if self.failed else "Ended early"
            again = "When the cause is fixed, the same command continues from there."
        return f"{cause} after {spent}; {so_far} {again}{whole}"

    def _watch(self) -> None:
        """Show the progress until the run ends."""
        while not self._ended.wait(self._interval):
            with self:
                if self._ended.is_set() or self.done == self.total:
                    return
                self._output.say(f"{time.strftime('%H:%M')}  {self.line(time.time())}")

    def line(self, now: float) -> str:
        """The progress: the counts, the times, and the step that has run longest."""
        elapsed = 0.0 if self._since is None else now - self._since
        failed = f", {len(self.failed)} failed" if self.failed else ""
        share = 100 * self.done // self.total if self.total else 100
        head = f"{self.done:,} of {self.total:,} ({share}%){failed}, {in_words(elapsed)} elapsed"
        if self.done >= EARLY_STEPS and elapsed >= EARLY_SECONDS:
            left = elapsed / self.done * (self.total - self.done)
            head += f", about {in_words(left)} left"
        if not self.running:
            return head
        step = next(iter(self.running.values()))
        more = f" (and {len(self.running) - 1} more)" if len(self.running) > 1 else ""
        return f"{head}; running: {_items(step, now)}{step.message}{more}"


def _items(step: Step, now: float) -> str:
    """What a long step reports of its items, unless it is from before this start."""
    for reported in filter(None, map(read_job_progress, step.outputs)):
        if reported.written >= step.since:
            left = reported.seconds_left(now)
            rest = "" if left is None else f", about {in_words(left)} left"
            return f"{reported.done:,} of {reported.total:,} items{rest}: "
    return ""


def in_words(seconds: float) -> str:
    """A time with the precision of an estimate: '40 s', '12 min', '1.3 h'."""
    if seconds < 60:
        return f"{max(0, seconds):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


def counted_steps(steps: int) -> str:
    """'1 step', '1,093 steps'."""
    return f"{steps:,} {'step' if steps == 1 else 'steps'}"


# The number of lines of a log to show.
TAIL = 15
_OWN_ERROR = re.compile(r"fairflow(\.\w+)+: ")
_TRACEBACK = "Traceback (most recent call last)"


def failure(step: Step, said: str = "", whole: Path | None = None) -> str:
    """The message on a failed step: its rule, model, query and files, and the end of its logs.

    Parameters
    ----------
    said : a message of the scheduler.
    whole : the log of the whole run, for a step that ended before it could write its own log.
    """
    names = ", ".join(f"{wildcard} {name}" for wildcard, name in step.names.items())
    lines = [f"Failed: {step.message}", f"  rule  {step.rule}" + f": {names}" * bool(names)]
    lines += [f"  file  {path}" for path in step.outputs]
    lines += [f"  {line}" for line in said.splitlines()]
    says = any(last_lines(Path(path)) for path in step.logs)
    shown = step.logs if says or not whole else (*step.logs, str(whole))
    return "\n".join([*lines, *logs(shown)])


def failure_together(
    steps: Sequence[Step], of_submission: Iterable[str], of_steps: Iterable[str]
) -> str:
    """The message on a failed submission of several steps, with the logs that report an error.

    Parameters
    ----------
    steps : of the submission; one of them may be the only cause.
    of_submission, of_steps : paths of logs; logs of steps are shown if they have a traceback.
    """
    rules = ", ".join(dict.fromkeys(step.rule for step in steps))
    first = f": {steps[0].message}, and more" if steps else ""
    guilty = [path for path in of_steps if _TRACEBACK in _text(Path(path))]
    head = f"Failed: a submission of {len(steps)} steps ({rules}){first}"
    return "\n".join([head, *logs([*of_submission, *guilty])])


def killed_by(number: int) -> str:
    """The message on a job that a signal ended."""
    known = number in {*signal.Signals}
    name = f"{signal.Signals(number).name}, signal {number}" if known else f"signal {number}"
    memory = ", as the system does when memory runs out; fewer cores need less memory"
    return f"The job was killed by {name}{memory * (number == signal.SIGKILL)}."


def logs(paths: Iterable[str]) -> list[str]:
    """The last lines of each log, below its path."""
    lines = []
    for path in paths:
        last = last_lines(Path(path))
        lines.append(f"  log   {path}" + (", last lines:" if last else ", empty"))
        lines += [f"    {line}" for line in last]
    return lines


def last_lines(path: Path) -> list[str]:
    """The last non-empty lines of a text; [] if the file is missing.

    For an error of this library only its message, which says what to do.
    """
    lines = [line for line in _text(path).splitlines() if line.strip()][-TAIL:]
    own = [position for position, line in enumerate(lines) if _OWN_ERROR.match(line)]
    return [_OWN_ERROR.sub("", lines[own[-1]]), *lines[own[-1] + 1 :]] if own else lines


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
