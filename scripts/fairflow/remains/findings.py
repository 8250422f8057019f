"""What the tests say of a model, and the file that it is kept in until models are compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from fairflow.files.array_files import read_arrays, write_arrays

# On fewer words or items a test tells nothing.
FEWEST = 10


@dataclass(frozen=True, eq=False)
class Answers:
    """What a model gives for each of some items: words, pairs of words, analogies.

    Attributes
    ----------
    items : their numbers among all, (covered,), by which those of two models are matched.
    expected : what it is compared with, (covered,); 1 where nothing is. given : (covered,).
    """

    items: np.ndarray
    expected: np.ndarray
    given: np.ndarray


@dataclass(frozen=True, eq=False)
class Finding:
    """What one test says of a model: a value, values of several runs, or answers to items.

    Attributes
    ----------
    test : a key of `fairflow.remains.named_tests.TESTS`. subject : the benchmark, or "".
    covered, total : items, words or pairs that the model has, and all there are.
    n : how many the value rests on. chance : what it would be of vectors that know nothing.
    note : what a reader should know; why there is no value, where there is none.
    """

    test: str
    subject: str = ""
    value: float = math.nan
    runs: tuple[float, ...] = ()
    answers: Answers | None = None
    n: int = 0
    covered: int = 0
    total: int = 0
    chance: float = math.nan
    note: str = ""

    @property
    def is_undefined(self) -> bool:
        """Whether the test could not be made."""
        return math.isnan(self.value) and not self.runs and self.answers is None


@dataclass(frozen=True)
class ModelFindings:
    """The findings of one model.

    Attributes
    ----------
    model : its name. facts : what they all rest on, plain values.
    """

    model: str
    findings: tuple[Finding, ...]
    facts: dict[str, Any] = field(default_factory=dict)


_ARRAYS = ("items", "expected", "given")
_PLAIN = ("test", "subject", "value", "runs", "n", "covered", "total", "chance", "note")


def write_findings(found: ModelFindings, path: str | Path) -> None:
    """Write the findings of a model as one .npz file; equal findings, equal bytes."""
    rows, arrays = [], {}
    for number, finding in enumerate(found.findings):
        plain = {name: getattr(finding, name) for name in _PLAIN}
        numbers = {"value", "chance"}
        rows.append(
            {k: None if k in numbers and math.isnan(v) else v for k, v in plain.items()}
            | {"answers": finding.answers is not None}
        )
        if finding.answers is not None:
            arrays |= {f"{name}_{number}": getattr(finding.answers, name) for name in _ARRAYS}
    account = {"model": found.model, "facts": found.facts, "findings": rows}
    write_arrays(account, arrays, path)


def read_findings(path: str | Path) -> ModelFindings:
    """The inverse of `write_findings`.

    Raises
    ------
    FairflowError : the file is damaged.
    FileNotFoundError : there is no such file.
    """
    return read_arrays(path, "file of findings", _findings)


def _findings(account: dict[str, Any], arrays: dict[str, np.ndarray]) -> ModelFindings:
    findings = []
    for number, row in enumerate(account["findings"]):
        given = row.pop("answers")
        answers = Answers(**{k: arrays[f"{k}_{number}"] for k in _ARRAYS}) if given else None
        plain = {k: math.nan if v is None else v for k, v in row.items()}
        findings.append(Finding(**{**plain, "runs": tuple(plain["runs"])}, answers=answers))
    return ModelFindings(account["model"], tuple(findings), account["facts"])


def undefined(tests: Sequence[str], why: str, **known: Any) -> list[Finding]:
    """Findings of tests that cannot be made, for one reason."""
    return [Finding(test, note=why, **known) for test in tests]
