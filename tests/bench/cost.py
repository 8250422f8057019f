"""What a command or a function costs: wall and CPU time, memory.

Python's own library alone: what is timed in the environment of another package imports it too.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Cost:
    """Wall and CPU seconds, those of all processes that it started included, and the largest
    process's peak memory in MB."""

    wall: float
    cpu: float
    megabytes: float


def wall(work: Callable[[], Any]) -> float:
    """The seconds of one run."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def fastest(work: Callable[[], Any], runs: int) -> dict[str, float]:
    """The smallest wall and CPU times of several runs, in seconds."""
    walls, cpus = [], []
    for _ in range(runs):
        start = time.process_time()
        walls.append(wall(work))
        cpus.append(time.process_time() - start)
    return {"wall": min(walls), "cpu": min(cpus)}


def cost_of(command: Sequence[object], folder: Path, scripts: Path) -> Cost:
    """Run a command in a folder with the library of `scripts`; it must end well."""
    environment = os.environ | ONE_THREAD | {"PYTHONPATH": str(scripts)}
    start = time.perf_counter()
    process = subprocess.Popen(
        [str(part) for part in command],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def row(what: str, cost: Cost, remark: str = "") -> None:
    """One line of a table."""
    shown = f"{cost.wall:10.2f}{cost.cpu:10.2f}{cost.megabytes:8.0f}"
    print(f"{what:<58}{shown}  {remark}", flush=True)
