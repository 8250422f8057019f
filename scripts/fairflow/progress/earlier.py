"""What the steps of each rule took in an earlier run, from the benchmarks that it left."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from statistics import fmean

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
