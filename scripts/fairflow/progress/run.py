"""The state of a run: steps done, running and failed, and an estimate of the time left."""

from __future__ import annotations

import os
import re
import signal
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from statistics import fmean, geometric_mean, median

from fairflow.files.jobs import JobProgress

# Assumed seconds of a step before any similar step was measured: most start Python and end.
A_STEP = 2.0
# The time left is estimated only after this many seconds and steps.
EARLY_SECONDS, EARLY_STEPS = 5.0, 3
# The latest steps of a rule give the time of the next: on a shared machine the pace changes.
RECENT = 300
# The shortest time of a step in seconds: Snakemake itself takes as long.
SHORTEST = 0.1
# Rules that must have been measured before their times serve for another rule.
ENOUGH_RULES = 3


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


class Run:
    """The steps of a run: waiting, running, done and failed.

    Parameters
    ----------
    steps : rule -> number of its steps to be done. since : the start of the run.
    earlier : rule -> seconds of one of its steps in an earlier run.

    Attributes
    ----------
    running : number -> step, in the order of their starts.
    reported : number -> the progress that a long step reports.
    """

    def __init__(
        self, steps: Mapping[str, int], since: float, earlier: Mapping[str, float] | None = None
    ) -> None:
        self.since = since
        self.running: dict[int, Step] = {}
        self.reported: dict[int, JobProgress] = {}
        self.failed: set[int] = set()
        self.done = 0
        self._waiting = Counter(dict(steps))
        self._earlier = dict(earlier or {})
        self._recent: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=RECENT))
        self._worked = 0.0

    @property
    def total(self) -> int:
        """The number of all steps."""
        return self.done + len(self.running) + self._waiting.total()

    def begin(self, number: int, step: Step) -> None:
        """A step starts, perhaps again."""
        self.failed.discard(number)
        self._waiting[step.rule] = max(0, self._waiting[step.rule] - 1)
        self.running[number] = step

    def hear(self, number: int, progress: JobProgress) -> None:
        """Keep the progress that a running step reports, unless it is from before this start."""
        if number in self.running and progress.written >= self.running[number].since:
            self.reported[number] = progress

    def end(self, number: int, now: float) -> None:
        """A step is done; a step whose start was not seen is counted but not timed."""
        self.done += 1
        self.reported.pop(number, None)
        if step := self.running.pop(number, None):
            self._recent[step.rule].append(max(SHORTEST, now - step.since))
            self._worked += self._recent[step.rule][-1]

    def fail(self, number: int) -> Step | None:
        """A step failed and may be tried again; None if its start was not seen."""
        self.failed.add(number)
        self.reported.pop(number, None)
        if step := self.running.pop(number, None):
            self._waiting[step.rule] += 1
        return step

    def seconds_left(self, now: float) -> float | None:
        """The estimated time left in seconds; None while too little is known.

        The sum over the steps left, each as long as recent steps of its rule, divided by the mean
        number of steps that ran at once; at least the time that a running step still needs, which
        the step may report.
        """
        elapsed = now - self.since
        if self.done < EARLY_STEPS or elapsed < EARLY_SECONDS:
            return None
        worked = [max(0.0, now - step.since) for step in self.running.values()]
        rest = [self._rest(number, now) for number in self.running]
        waiting = sum(n * self._typical(rule) for rule, n in self._waiting.items() if n)
        at_once = max(1.0, (self._worked + sum(worked)) / elapsed)
        return max((waiting + sum(rest)) / at_once, *rest, 0.0)

    def _rest(self, number: int, now: float) -> float:
        """Seconds that a running step still needs: as it reports, or else as others of its rule."""
        reported = self.reported.get(number)
        left = reported.seconds_left(now) if reported else None
        step = self.running[number]
        return max(0.0, self._typical(step.rule) - (now - step.since)) if left is None else left

    def _typical(self, rule: str) -> float:
        """Seconds of a step of a rule: from this run, an earlier run, or else from other rules."""
        if rule in self._recent:
            # A geometric mean, because a few long steps do not represent hundreds of short ones.
            return geometric_mean(self._recent[rule])
        if rule in self._earlier:
            return self._earlier[rule]
        means = [geometric_mean(seconds) for seconds in self._recent.values()]
        # The median, because a download of minutes does not represent a thousand short steps.
        return median(means) if len(means) >= ENOUGH_RULES else A_STEP


# Files of a rule to read: enough for a mean; a thousand would take a second.
SAMPLE = 5


def earlier_seconds(benchmarks: Path, rules: Iterable[str]) -> dict[str, float]:
    """Mean seconds of a step by rule; a rule without a readable benchmark is left out.

    Parameters
    ----------
    benchmarks : a folder with one folder of files for each rule.
    """
    means = {}
    for rule in rules:
        seconds = list(islice(_seconds(benchmarks / rule), SAMPLE))
        if seconds:
            means[rule] = fmean(seconds)
    return means


def _seconds(folder: Path) -> Iterator[float]:
    for where, _, names in os.walk(folder):
        for name in names:
            try:
                head, values = Path(where, name).read_text().splitlines()[:2]
                yield float(dict(zip(head.split("\t"), values.split("\t"), strict=False))["s"])
            except (OSError, ValueError, KeyError):
                continue


# In fewer columns the line is shortened.
NARROW = 80


def live_line(run: Run, now: float, width: int, ellipsis: str = "…") -> str:
    """The progress of a run in at most `width` columns; the last words are cut first.

    Parameters
    ----------
    now : in seconds, on the clock of `run`. ellipsis : what replaces the words that are cut.
    """
    clock, left = _clock(now - run.since), run.seconds_left(now)
    head = f"{_counts(run)}  {clock} elapsed, {_rest(left)}"
    if width < NARROW:
        head = f"{_counts(run)}  {clock}" + ("" if left is None else f", {in_words(left)} left")
    text = " ".join(f"{head}  {_running(run, now)}".rstrip().splitlines())
    if len(text) > width:
        text = text[: max(0, width - len(ellipsis))] + ellipsis
    return text[:width]


def minute_line(run: Run, now: float, clock: str) -> str:
    """The progress of a run for a log: the time of day, the counts, the times, the running step."""
    elapsed = in_words(now - run.since)
    work = _running(run, now)
    what = f"; running: {work}" if work else ""
    return f"{clock}  {_counts(run)}, {elapsed} elapsed, {_rest(run.seconds_left(now))}{what}"


def in_words(seconds: float) -> str:
    """A time with the precision of an estimate: '5 s', '40 s', '12 min', '1 h 20 min'."""
    # Multiples of five, because the line would flicker otherwise.
    fives = 5 * round(max(0.0, seconds) / 5)
    if fives < 60:
        return f"{max(5, fives)} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    # Multiples of ten minutes.
    hours, tens = divmod(round(seconds / 600), 6)
    return f"{hours} h" + (f" {tens}0 min" if tens else "")


def counted(steps: int) -> str:
    """'1 step', '1,093 steps'."""
    return f"{steps:,} {'step' if steps == 1 else 'steps'}"


def _counts(run: Run) -> str:
    share = 100 * run.done // run.total if run.total else 100
    failed = f", {len(run.failed)} failed" if run.failed else ""
    return f"{run.done:,} of {run.total:,} ({share}%){failed}"


def _rest(left: float | None) -> str:
    return "time left unknown" if left is None else f"about {in_words(left)} left"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(max(0.0, seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _running(run: Run, now: float) -> str:
    """The step that has run longest, its progress, and the number of other running steps."""
    if not run.running:
        return ""
    number, step = next(iter(run.running.items()))
    what, others = step.message, len(run.running) - 1
    if reported := run.reported.get(number):
        left = reported.seconds_left(now)
        rest = "" if left is None else f", about {in_words(left)} left"
        what = f"{reported.done:,} of {reported.total:,} items{rest}: {what}"
    return f"{what} (and {others} more)" if others else what


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


def last_lines(path: Path, number: int = TAIL) -> list[str]:
    """The last non-empty lines of a text; [] if the file is missing.

    For an error of this library only its message, which says what to do.
    """
    lines = [line for line in _text(path).splitlines() if line.strip()][-number:]
    own = [position for position, line in enumerate(lines) if _OWN_ERROR.match(line)]
    return [_OWN_ERROR.sub("", lines[own[-1]]), *lines[own[-1] + 1 :]] if own else lines


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
