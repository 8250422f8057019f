"""Deletes each capability in a copy of the project, and checks that the rest works.

Run by `make test-walls`; CAPABILITY=NAME deletes one alone. Deleted are its folders, its entry, its
own files of the configuration with their schemas, and the capabilities that import it; what the
plan then names as faults are its studies and its figures.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from itertools import product
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIST = "scripts/fairflow/capabilities.py"
FOLDERS = ("scripts/fairflow/{}", "scripts/{}", "workflow/rules/capabilities/{}.smk")
FOLDERS += ("tests/unit/{}", "tests/workflow/{}")
OWN_FILES = ("config/{}", "config/{}.yaml", "workflow/schemas/{}.schema.yaml")
_PLAN = """
from pathlib import Path
from fairflow.files.configuration_files import read_yaml
from fairflow.planning.configuration import read_configuration
from fairflow.planning.planner import make_plan
main = read_yaml(Path("config/config.yaml")) | {"download": "all"}
main["studies"] = [path.stem for path in sorted(Path("config/studies").glob("*.yaml"))]
make_plan(read_configuration(main, Path("config"), Path("workflow/schemas")), complete=False)
"""
_STUDY = """
from pathlib import Path
from project import make_project
make_project(Path("toy")).run("all")
"""
# The studies that go with a capability: another one that cannot be planned is a fault.
STUDIES = {
    "languages": {"french"},
    "corpora": {"state_of_the_union", "nulls"},
    "nulls": {"nulls"},
    "language_models": {
        *("bai_2025", "benchmarks", "debiased_encoders", "language_models_items"),
        *("published_language_models", "sentence_encoders", "static_and_contextual"),
        *("words_and_sentences", "words_in_contexts", "nulls"),
    },
}
_TESTS = ("planning", "studies/claims", "command")
_PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not torch and not slow")
CHECKS = {
    "imports": ("lint-imports", "--no-cache"),
    "style": ("ruff", "check", "--no-cache", "scripts", "tests/unit", "tests/workflow"),
    "plan": ("python", "-c", _PLAN),
    "a study": ("python", "-c", _STUDY),
    "collection": ("python", *_PYTEST, "-q", "--collect-only", "tests/unit", "tests/workflow"),
    "tests": ("python", *_PYTEST, "-n", "2", *(f"tests/unit/{name}" for name in _TESTS)),
}


def run(copy: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program of this environment in a copy, with the library of the copy."""
    paths = (copy / "scripts", copy / "tests/workflow")
    more = {"PYTHONPATH": os.pathsep.join(map(str, paths)), "COLUMNS": "200"}
    command = [str(Path(sys.executable).parent / program), *arguments]
    said = subprocess.PIPE, subprocess.STDOUT
    return subprocess.run(
        command, cwd=copy, env=os.environ | more, stdout=said[0], stderr=said[1], text=True
    )


def copied(folder: Path) -> Path:
    """A copy of what git knows or would know of this checkout."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.check_output(listed, cwd=ROOT, text=True).splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def capabilities(copy: Path) -> dict[str, tuple[str, ...]]:
    """The list of the copy."""
    known: dict[str, dict[str, tuple[str, ...]]] = {}
    (text,) = re.findall(r"^CAPABILITIES.*? = (\{.*?^\})", (copy / LIST).read_text(), re.M | re.S)
    exec(f"known = {text}", {}, known)
    return known["known"]


def delete(copy: Path, name: str) -> list[str]:
    """Delete a capability, and those that import it; the names of all."""
    own = [one.rstrip("/") for one in capabilities(copy)[name]]
    places = [*product(FOLDERS, [name]), *product(OWN_FILES, own)]
    for path in {path for place, of in places for path in copy.glob(place.format(of))}:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    edit(copy / LIST, rf'^    "{name}": \(.*?\),\n')
    cut_contracts(copy / "pyproject.toml", name)
    using = re.compile(rf"^\s*(from|import) fairflow\.{name}\b", re.M)
    above = [
        other
        for other in capabilities(copy)
        if any(
            using.search(p.read_text()) for p in (copy / "scripts/fairflow" / other).rglob("*.py")
        )
    ]
    return [name, *(one for other in above for one in delete(copy, other))]


def edit(path: Path, cut: str) -> None:
    """Take what a pattern matches out of a file."""
    path.write_text(re.sub(cut, "", path.read_text(), flags=re.M | re.S))


def cut_contracts(path: Path, name: str) -> None:
    """Take its packages out of pyproject.toml, and the contracts that are about nothing else."""
    head, *contracts = path.read_text().split("[[tool.importlinter.contracts]]\n")
    lines = [line for line in head.splitlines(keepends=True) if f'"fairflow.{name}' not in line]
    kept = []
    for contract in contracts:
        text = re.sub(rf'\s*"fairflow\.{name}(\.[\w.]+)?( -> [\w.]+)?",?(?=[\s\]])', "", contract)
        if not re.search(r"^\w+ = \[\s*\]", text, re.M):
            kept.append(text)
    path.write_text("[[tool.importlinter.contracts]]\n".join(["".join(lines), *kept]))


def cut_studies(copy: Path) -> str:
    """Delete the studies that cannot be planned any more, and figures that are not there.

    Returns
    -------
    The faults of no study.
    """
    for _ in range(9):
        planned = run(copy, *CHECKS["plan"])
        faults = re.findall(r"config/studies/(\S+)\.yaml: (\w+).*?: (.*)", planned.stdout)
        for study, key, sentence in faults:
            path = copy / f"config/studies/{study}.yaml"
            if key == "figures" and path.exists():
                figure = re.findall("unknown name '(.*?)'", sentence)[0]
                edit(path, rf"(^  - {figure}\n|\b{figure}\b(,\s*)?)(?!.*^figures:)")
            else:
                path.unlink(missing_ok=True)
                edit(copy / "config/config.yaml", rf"^  - {study}\n|^\w+:\n(?=\w|#|\Z)")
        if not faults:
            break
    return planned.stdout[-3000:]


def naming(copy: Path, gone: list[str]) -> list[Path]:
    """The code that names modules of these capabilities, in imports that are seldom made, too."""
    named = re.compile(rf"\bfairflow\.({'|'.join(gone)})\b")
    code = [
        path for folder in ("scripts", "workflow/rules") for path in (copy / folder).rglob("*.*")
    ]
    code = [path for path in code if path.suffix in (".py", ".smk")]
    return [path for path in code if named.search(path.read_text(encoding="utf-8"))]


def faults_without(name: str, copy: Path) -> list[str]:
    """What does not work without a capability."""
    start, gone = time.monotonic(), delete(copied(copy), name)
    print(f"without {', '.join(gone)}: ", end="", flush=True)
    before = {path.stem for path in (copy / "config/studies").iterdir()}
    faults = [f"{path}: names it" for path in naming(copy, gone)]
    faults += [f"plan: {said}" for said in [cut_studies(copy)] if said]
    left_out = before - {path.stem for path in (copy / "config/studies").iterdir()}
    expected = STUDIES.get(name, set())
    faults += [f"study {one}: it cannot be planned" for one in sorted(left_out - expected)]
    faults += [f"study {one}: it is planned still" for one in sorted(expected - left_out)]
    print(f"studies {', '.join(sorted(left_out)) or '-'}", end="", flush=True)
    for check, command in CHECKS.items():
        at = time.monotonic()
        done = run(copy, *command)
        print(f"; {check} {time.monotonic() - at:.0f} s", end="", flush=True)
        if done.returncode:
            faults.append(f"{check}:\n{done.stdout[-6000:]}")
    print(f"; {'fails' if faults else 'works'} ({time.monotonic() - start:.0f} s)", flush=True)
    return faults


def main(names: list[str]) -> int:
    """Delete each capability in its own copy; 1 where something fails."""
    faults = []
    for name in names or capabilities(ROOT):
        with tempfile.TemporaryDirectory() as folder:
            faults += faults_without(name, Path(folder))
    print("\n".join(faults), end="")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
