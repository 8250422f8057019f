"""What is told of a step that failed: what it was about, and the end of its log."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterable, Sequence
from pathlib import Path

from fairflow.progress.run import Step

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
