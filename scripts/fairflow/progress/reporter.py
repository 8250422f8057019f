"""Tells a person of a run while it is at work, and keeps all that is said of it in a file."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from threading import Event, RLock, Thread

from fairflow.files.job_progress import read_job_progress
from fairflow.progress.earlier import earlier_seconds
from fairflow.progress.failures import failure, failure_together
from fairflow.progress.lines import counted, in_words, live_line, minute_line
from fairflow.progress.run import Run, Step
from fairflow.progress.screen import BOLD, RED, Screen
from fairflow.progress.whole_output import WholeOutput

# Seconds between two looks at the clock on a terminal.
TICK = 0.5
# Seconds between two looks at how far the steps at work say they are.
LISTEN = 5.0


class Reporter:
    """The one who is told what happens in a run; to be used inside `with`, by one at a time.

    Parameters
    ----------
    interval : seconds between two lines where the output is no terminal.
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
        """Whether it is known what is to be done."""
        return self._run is not None

    def note(self, text: str) -> None:
        """Keep what nobody needs to read now."""
        if text:
            self._output.write(text)

    def plan(self) -> None:
        """It is being found out what is to be done."""
        self._screen.change("Finding out what is to be done ...")

    def start(self, steps: Mapping[str, int], now: float, results: Path) -> None:
        """The number of steps of each rule is known: work begins.

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
        """A step starts; the first is shown at once, for it may be a short one."""
        if self._run:
            first = not self._run.done and not self._run.at_work
            self._run.begin(number, step)
            if first:
                self._show()

    def end(self, number: int, now: float) -> None:
        """A step is done."""
        if self._run:
            self._run.end(number, now)

    def fail(self, number: int, step: Step, said: str = "") -> None:
        """A step failed; told once, whatever else fails with it.

        Parameters
        ----------
        step : what is known of it from its failure. said : what the scheduler has to tell.
        """
        if self._run is None or number in self._run.failed:
            return
        begun = self._run.fail(number) or step
        known = Step(begun.rule, begun.message, begun.since, begun.names, begun.outputs, step.logs)
        self._say_error(failure(known, said, self._output.path))

    def fail_together(
        self, numbers: Iterable[int], of_submission: list[str], of_steps: list[str]
    ) -> None:
        """A submission of several steps failed, of which one alone may be the cause.

        Parameters
        ----------
        of_submission, of_steps : paths of logs.
        """
        if self._run:
            steps = [step for number in numbers if (step := self._run.fail(number))]
            self._say_error(failure_together(steps, of_submission, of_steps))

    def problem(self, text: str) -> None:
        """A warning or an error that is no step's."""
        self._say_error(text)

    def stopping(self) -> None:
        """Somebody asked for the end: what is at work is waited for."""
        self._stopped = True
        self._screen.say("Stopping: waiting for the steps that are at work.", BOLD)

    def stop(self) -> None:
        """Somebody asked for the end, now: steps that fail from here on were at work then."""
        self._stopped = self._cut_off = True

    def nothing_to_do(self) -> None:
        """Every result is there."""
        self._up_to_date = True

    def close(self) -> None:
        """Tell how it ended; more than once does no harm."""
        if self._ended.is_set():
            return
        self._ended.set()
        with self:
            self._screen.change("")
            # Interrupted at a bad moment, Snakemake ends with a traceback of its own.
            self._output.close(give_back=not self._stopped)
            colour, words = self._last_words()
            if words:
                self._screen.say(words, colour)
            self._output.terminal.close()

    def _last_words(self) -> tuple[str, str]:
        """The colour of the first line, and the lines."""
        run = self._run
        if run is None and self._stopped:
            return BOLD, "Stopped as asked before any step began."
        if run is None:
            return "", "Nothing was to do: every result is up to date." * self._up_to_date
        whole = f"\nWhole output: {self._output.path}" if self._output.path else ""
        spent = in_words(self._now() - run.since)
        if run.done == run.total:
            return BOLD, f"{counted(run.done)} done in {spent}.{whole}"
        so_far = f"{run.done:,} of {counted(run.total)} done, and stay."
        if self._stopped:
            colour, cause, again = BOLD, "Stopped as asked", "The same command goes on from there."
        else:
            failed = len(run.failed)
            colour, cause = RED, f"{counted(failed)} failed" if failed else "Ended early"
            again = "Once the cause is gone, the same command goes on from there."
        return colour, f"{cause} after {spent}; {so_far} {again}{whole}"

    def _say_error(self, text: str) -> None:
        if not self._cut_off:
            self._screen.say(text, RED)

    def _watch(self) -> None:
        """Show the time going by until the run ends."""
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
        """Hear of the steps at work how far they are, now and then."""
        if self._now() - self._heard < LISTEN:
            return
        self._heard = self._now()
        for number, step in run.at_work.items():
            for told in filter(None, map(read_job_progress, step.outputs)):
                run.hear(number, told)

    def _show(self) -> None:
        """Draw the line that changes, where there is one."""
        if self._run and self._screen.is_live:
            screen = self._screen
            screen.change(live_line(self._run, self._now(), screen.width, screen.ellipsis))
