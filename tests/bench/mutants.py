"""How many small faults in the rooms of the core do their tests find?

    python tests/bench/mutants.py PYTHON [--number 100] [--seed 1] [--workers 2]

Cosmic Ray plants one fault at a time in a copy of the project, in which PYTHON runs the tests of
these rooms, those of the module first. Faults that no test finds are printed. Cosmic Ray has no
random sample and mutates annotations, which nothing evaluates, so both are decided here.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from cosmic_ray.commands.init import _all_work_items
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_item import MutationSpec, TestOutcome

ROOMS = ("statistics", "metrics", "queries", "scores")


def places(module: Path) -> Iterator[MutationSpec]:
    """Every fault that is planted in a module, none in an annotation."""
    lines = {
        line
        for node in ast.walk(ast.parse(module.read_text()))
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if part is not None
        for line in range(part.lineno, part.end_lineno + 1)
    }
    for item in _all_work_items([module], {}):
        if item.mutations[0].start_pos[0] not in lines:
            yield item.mutations[0]


def enter_copy(folder: str) -> None:
    """Copy what git lists into an own folder, where this process works from then on."""
    listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=True)
    copy = Path(tempfile.mkdtemp(dir=folder))
    for name in filter(os.path.isfile, listed.stdout.split("\0")):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(name, copy / name)
    os.chdir(copy)


def is_found(python: str, fault: MutationSpec | None, room: str) -> tuple[bool, str]:
    """Whether a test fails, or does not end, and what was changed."""
    tests = [Path("tests/unit", one) for one in (room, *(one for one in ROOMS if one != room))]
    if fault and (own := tests[0] / f"test_{fault.module_path.stem}.py").exists():
        tests.insert(0, own)
    asked = " ".join(map(str, tests if fault else tests[:1]))
    options = "-q -x -p no:cacheprovider -m 'not torch and not slow'"
    result = mutate_and_test([fault] if fault else [], f"{python} -m pytest {options} {asked}", 600)
    return result.test_outcome != TestOutcome.SURVIVED, result.diff


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("python", type=os.path.abspath)
    for name, value in (("number", 100), ("seed", 1), ("workers", 2)):
        parser.add_argument(f"--{name}", type=int, default=value)
    asked = parser.parse_args()
    modules = [path for room in ROOMS for path in Path("scripts/fairflow", room).glob("*.py")]
    every = [one for module in sorted(modules) for one in places(module)]
    random.Random(asked.seed).shuffle(every)
    # No two faults at one place.
    drawn = list({(one.module_path, one.start_pos): one for one in every}.values())[: asked.number]
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(asked.workers, initializer=enter_copy, initargs=(folder,)) as pool,
    ):
        ask = partial(is_found, asked.python)
        for room, (fails, _) in zip(ROOMS, pool.map(ask, [None] * len(ROOMS), ROOMS), strict=True):
            if fails:
                sys.exit(f"The tests of {room} fail without a fault.")
        found = Counter[str]()
        rooms = [one.module_path.parent.name for one in drawn]
        for room, (is_killed, diff) in zip(rooms, pool.map(ask, drawn, rooms), strict=True):
            found[room] += is_killed
            print(end="" if is_killed else f"{diff}\n", flush=True)
    for room in ROOMS:
        print(f"{room}: {found[room]} of {rooms.count(room)}")
    print(f"Tests find {found.total()} of {len(drawn)} faults ({found.total() / len(drawn):.0%}).")


if __name__ == "__main__":
    main()
