"""What a run has done, what it is at, how long the rest may take, and what failed of it."""

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

# Assumed of a step while nothing like it was measured, in seconds: most start Python and end.
A_STEP = 2.0
# Nothing is said of the time left before so many seconds and steps.
EARLY_SECONDS, EARLY_STEPS = 5.0, 3
# Steps of a rule that tell how long the next ones take: on a shared machine the pace changes.
RECENT = 300
# No step counts as shorter, in seconds: Snakemake itself takes as long.
SHORTEST = 0.1
# Rules of a run whose steps tell what one of another rule may take.
ENOUGH_RULES = 3


@dataclass(frozen=True)
class Step:
    """A job of a run.

    Attributes
    ----------
    message : what it does, in words. names : wildcard -> what it stands for.
    outputs, logs : paths of the files that it writes. since : when it began, in seconds.
    """

    rule: str
    message: str
    since: float
    names: Mapping[str, str] = field(default_factory=dict)
    outputs: tuple[str, ...] = ()
    logs: tuple[str, ...] = ()


class Run:
    """The steps of a run: those planned, at work, done and failed.

    Parameters
    ----------
    steps : rule -> number of its steps that are to be done. since : when the run began.
    earlier : rule -> seconds that one of its steps took in an earlier run.

    Attributes
    ----------
    at_work : number -> step, the one first that began first. told : how far long ones say they are.
    """

    def __init__(
        self, steps: Mapping[str, int], since: float, earlier: Mapping[str, float] | None = None
    ) -> None:
        self.since = since
        self.at_work: dict[int, Step] = {}
        self.told: dict[int, JobProgress] = {}
        self.failed: set[int] = set()
        self.done = 0
        self._waiting = Counter(dict(steps))
        self._earlier = dict(earlier or {})
        self._recent: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=RECENT))
        self._worked = 0.0

    @property
    def total(self) -> int:
        """The number of all steps."""
        return self.done + len(self.at_work) + self._waiting.total()

    def begin(self, number: int, step: Step) -> None:
        """A step starts, perhaps once more."""
        self.failed.discard(number)
        self._waiting[step.rule] = max(0, self._waiting[step.rule] - 1)
        self.at_work[number] = step

    def hear(self, number: int, progress: JobProgress) -> None:
        """A step at work tells how far it is; what it told before it began this time is old."""
        if number in self.at_work and progress.written >= self.at_work[number].since:
            self.told[number] = progress

    def end(self, number: int, now: float) -> None:
        """A step is done; one that nobody saw begin counts, but is not timed."""
        self.done += 1
        self.told.pop(number, None)
        if step := self.at_work.pop(number, None):
            self._recent[step.rule].append(max(SHORTEST, now - step.since))
            self._worked += self._recent[step.rule][-1]

    def fail(self, number: int) -> Step | None:
        """A step failed and may be tried again; None if nobody saw it begin."""
        self.failed.add(number)
        self.told.pop(number, None)
        if step := self.at_work.pop(number, None):
            self._waiting[step.rule] += 1
        return step

    def seconds_left(self, now: float) -> float | None:
        """How long the rest may take, in seconds; None while too little is known.

        The seconds of the steps that are left, each as long as those of its rule were lately,
        shared by as many as worked at once until now; no less than what a step at work still takes,
        which it may tell itself.
        """
        elapsed = now - self.since
        if self.done < EARLY_STEPS or elapsed < EARLY_SECONDS:
            return None
        worked = [max(0.0, now - step.since) for step in self.at_work.values()]
        rest = [self._rest(number, now) for number in self.at_work]
        waiting = sum(n * self._typical(rule) for rule, n in self._waiting.items() if n)
        at_once = max(1.0, (self._worked + sum(worked)) / elapsed)
        return max((waiting + sum(rest)) / at_once, *rest, 0.0)

    def _rest(self, number: int, now: float) -> float:
        """Seconds that a step at work still takes: as it tells, else as others of its rule."""
        told = self.told.get(number)
        left = told.seconds_left(now) if told else None
        step = self.at_work[number]
        return max(0.0, self._typical(step.rule) - (now - step.since)) if left is None else left

    def _typical(self, rule: str) -> float:
        """Seconds of a step of a rule: of this run, else of an earlier one, else of other rules."""
        if rule in self._recent:
            # A few long steps, which often come together, do not stand for hundreds of short ones.
            return geometric_mean(self._recent[rule])
        if rule in self._earlier:
            return self._earlier[rule]
        means = [geometric_mean(seconds) for seconds in self._recent.values()]
        # The median, as a download that takes minutes tells nothing of a thousand short steps.
        return median(means) if len(means) >= ENOUGH_RULES else A_STEP


# Files of a rule that are read: enough for a mean, and a thousand would take a second.
SAMPLE = 5


def earlier_seconds(benchmarks: Path, rules: Iterable[str]) -> dict[str, float]:
    """Mean seconds of a step by rule; a rule without a readable benchmark is left out.

    Parameters
    ----------
    benchmarks : the folder that holds one folder of a rule's files for each rule.
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


# Columns below which a line says the same in fewer letters.
NARROW = 80


def live_line(run: Run, now: float, width: int, ellipsis: str = "…") -> str:
    """How far a run is, in at most `width` columns: the last words are left out first.

    Parameters
    ----------
    now : in seconds, on the clock of `run`. ellipsis : what stands for words left out.
    """
    clock, left = _clock(now - run.since), run.seconds_left(now)
    head = f"{_counts(run)}  {clock} gone, {_rest(left)}"
    if width < NARROW:
        head = f"{_counts(run)}  {clock}" + ("" if left is None else f", {in_words(left)} left")
    text = " ".join(f"{head}  {_at_work(run, now)}".rstrip().splitlines())
    if len(text) > width:
        text = text[: max(0, width - len(ellipsis))] + ellipsis
    return text[:width]


def minute_line(run: Run, now: float, clock: str) -> str:
    """How far a run is, for a log: the time of day, the counts, the times, and what it is at."""
    gone = in_words(now - run.since)
    work = _at_work(run, now)
    what = f"; at work: {work}" if work else ""
    return f"{clock}  {_counts(run)}, {gone} gone, {_rest(run.seconds_left(now))}{what}"


def in_words(seconds: float) -> str:
    """A time of the precision that an estimate deserves: '5 s', '40 s', '12 min', '1 h 20 min'."""
    # Whole fives, so that a line does not flicker.
    fives = 5 * round(max(0.0, seconds) / 5)
    if fives < 60:
        return f"{max(5, fives)} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    # Whole tens of minutes.
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
    return "time left not known yet" if left is None else f"about {in_words(left)} left"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(max(0.0, seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _at_work(run: Run, now: float) -> str:
    """The step that has been at work longest, how far it is, and how many others are at work."""
    if not run.at_work:
        return ""
    number, step = next(iter(run.at_work.items()))
    what, others = step.message, len(run.at_work) - 1
    if told := run.told.get(number):
        left = told.seconds_left(now)
        rest = "" if left is None else f", about {in_words(left)} left"
        what = f"{told.done:,} of {told.total:,} items{rest}: {what}"
    return f"{what} (and {others} more)" if others else what


# Lines at the end of a log that are shown.
TAIL = 15
_OWN_ERROR = re.compile(r"fairflow(\.\w+)+: ")
_TRACEBACK = "Traceback (most recent call last)"


def failure(step: Step, said: str = "", whole: Path | None = None) -> str:
    """What failed, with its rule, model, query and files, and the last lines of its logs.

    Parameters
    ----------
    said : what the scheduler has to tell besides.
    whole : a file that tells of a step that ended before it could write its log.
    """
    names = ", ".join(f"{wildcard} {name}" for wildcard, name in step.names.items())
    lines = [f"Failed: {step.message}", f"  rule  {step.rule}" + f": {names}" * bool(names)]
    lines += [f"  file  {path}" for path in step.outputs]
    lines += [f"  {line}" for line in said.splitlines()]
    says = any(last_lines(Path(path)) for path in step.logs)
    told = step.logs if says or not whole else (*step.logs, str(whole))
    return "\n".join([*lines, *logs(told)])


def failure_together(
    steps: Sequence[Step], of_submission: Iterable[str], of_steps: Iterable[str]
) -> str:
    """What failed in a submission of several steps, with the logs that tell of an error.

    Parameters
    ----------
    steps : of the submission, of which one alone may be the cause.
    of_submission, of_steps : paths of logs; of the steps those with a traceback are shown.
    """
    rules = ", ".join(dict.fromkeys(step.rule for step in steps))
    first = f": {steps[0].message}, and more" if steps else ""
    guilty = [path for path in of_steps if _TRACEBACK in _text(Path(path))]
    head = f"Failed: a submission of {len(steps)} steps ({rules}){first}"
    return "\n".join([head, *logs([*of_submission, *guilty])])


def killed_by(number: int) -> str:
    """What is told of a job that a signal of this number ended."""
    known = number in {*signal.Signals}
    name = f"{signal.Signals(number).name}, signal {number}" if known else f"signal {number}"
    memory = ", as the system does where memory runs out: fewer cores need less of it"
    return f"The job was killed by {name}{memory * (number == signal.SIGKILL)}."


def logs(paths: Iterable[str]) -> list[str]:
    """The last lines of each log, under its name."""
    lines = []
    for path in paths:
        last = last_lines(Path(path))
        lines.append(f"  log   {path}" + (", which ends with:" if last else ", which is empty"))
        lines += [f"    {line}" for line in last]
    return lines


def last_lines(path: Path, number: int = TAIL) -> list[str]:
    """The last lines of a text, without those that are empty; none of a file that is not there.

    Of an error of this library the message alone: it says what to do, not where it was raised.
    """
    lines = [line for line in _text(path).splitlines() if line.strip()][-number:]
    own = [position for position, line in enumerate(lines) if _OWN_ERROR.match(line)]
    return [_OWN_ERROR.sub("", lines[own[-1]]), *lines[own[-1] + 1 :]] if own else lines


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
