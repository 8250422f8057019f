"""How many small faults in the library do its unit tests find?

    PYTHONPATH=scripts python tests/bench/mutants.py --number 300 --seed 28

Draws places of the library's code, changes one of them at a time in a copy of the project, and runs
the tests of that module and of its room, with --whole all other unit tests too. A mutant that fails
no test survives and is listed. With --since REVISION, which may be given again, places are drawn
from lines that these revisions hold as well. The draw depends on the line and the fault alone, so
that two states of the project get the same faults wherever both have the line.
"""

from __future__ import annotations

import argparse
import ast
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIBRARY = Path("scripts/fairflow")
OPERATORS: dict[type[ast.AST], ast.AST] = {
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
    ast.Mult: ast.Div(),
    ast.Div: ast.Mult(),
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
    ast.And: ast.Or(),
    ast.Or: ast.And(),
}


def mutant(node: ast.AST) -> str | None:
    """The source of an expression with one fault in it, or None where none is known."""
    if isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in OPERATORS:
        return ast.unparse(_with(node, op=OPERATORS[type(node.op)]))
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OPERATORS:
        return ast.unparse(_with(node, ops=[OPERATORS[type(node.ops[0])], *node.ops[1:]]))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        return ast.unparse(node.operand)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return str(not node.value)
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return repr(node.value + 1)
    return None


def _with(node: ast.AST, **changes: object) -> ast.AST:
    return type(node)(**{**dict(ast.iter_fields(node)), **changes})


def places(path: Path) -> Iterator[tuple[Path, ast.expr, str]]:
    """Expressions on one line of a module that a fault is known for; none in annotations."""
    tree = ast.parse((ROOT / path).read_text())
    annotations = {
        id(part)
        for node in ast.walk(tree)
        for name in ("annotation", "returns")
        if isinstance(whole := getattr(node, name, None), ast.AST)
        for part in ast.walk(whole)
    }
    for node in ast.walk(tree):
        if id(node) in annotations or not isinstance(node, ast.expr):
            continue
        if node.lineno == node.end_lineno and (changed := mutant(node)) is not None:
            yield path, node, f"({changed})"


def changed_text(path: Path, node: ast.expr, changed: str) -> str:
    lines = (ROOT / path).read_text().splitlines(keepends=True)
    line = lines[node.lineno - 1].encode()
    line = line[: node.col_offset] + changed.encode() + line[node.end_col_offset :]
    lines[node.lineno - 1] = line.decode()
    return "".join(lines)


def tests_of(path: Path) -> list[list[str]]:
    """The tests of a module, of its room, and all other unit tests."""
    room = Path("tests/unit", *path.relative_to(LIBRARY).parent.parts)
    while not (ROOT / room).is_dir():
        room = room.parent
    own = sorted((ROOT / room).rglob(f"test_{path.stem}.py"))
    of_module = [[str(test.relative_to(ROOT))] for test in own[:1]]
    return [*of_module, [str(room)], ["tests/unit", f"--ignore={room}"]]


def passes(copy: Path, tests: list[str]) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider"]
    try:
        done = subprocess.run(
            [*command, *tests], cwd=copy, capture_output=True, timeout=900, check=False
        )
    except subprocess.TimeoutExpired:  # A loop without end is noticed too.
        return False
    return done.returncode == 0


def lines_of(revision: str) -> set[str]:
    """Every line of the library at a revision."""
    command = ["git", "grep", "-h", "", revision, "--", f"{LIBRARY}/*.py"]
    text = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return {line.strip() for line in text.splitlines()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=28)
    parser.add_argument("--since", metavar="REVISION", action="append", default=[])
    parser.add_argument("--whole", action="store_true", help="ask all unit tests of survivors")
    asked = parser.parse_args()
    paths = sorted(p.relative_to(ROOT) for p in (ROOT / LIBRARY).rglob("*.py"))
    found = [place for path in paths for place in places(path)]
    source = {path: (ROOT / path).read_text().splitlines() for path in paths}
    for revision in asked.since:
        common = lines_of(revision)
        found = [p for p in found if source[p[0]][p[1].lineno - 1].strip() in common]

    def order(place: tuple[Path, ast.expr, str]) -> bytes:
        path, node, changed = place
        line = source[path][node.lineno - 1].strip()
        return sha256(f"{asked.seed} {line} {ast.unparse(node)} {changed}".encode()).digest()

    # Lines that stand more than once are drawn no more often than others.
    drawn = sorted({order(place): place for place in found}.items())[: asked.number]
    killed, sound = 0, set()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "project")
        ignored = shutil.ignore_patterns(".venv*", "results", "__pycache__", ".snakemake")
        shutil.copytree(ROOT, copy, ignore=ignored)
        for number, (_, (path, node, changed)) in enumerate(drawn, start=1):
            tests = tests_of(path)[: None if asked.whole else -1]
            for some in tests:
                if some[0] not in sound and not passes(copy, some):
                    sys.exit(f"The tests {' '.join(some)} fail without a fault: repair them first.")
                sound.add(some[0])
            (copy / path).write_text(changed_text(path, node, changed))
            if all(passes(copy, some) for some in tests):
                print(f"survived: {path}:{node.lineno}: {ast.unparse(node)} -> {changed}")
            else:
                killed += 1
            shutil.copy(ROOT / path, copy / path)
            if number % 25 == 0:
                print(f"{killed} of {number} mutants killed", flush=True)
    print(f"{killed} of {len(drawn)} mutants killed (seed {asked.seed})")


if __name__ == "__main__":
    main()
