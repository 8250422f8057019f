"""A scratch copy of the workflow with a toy configuration, and Snakemake to run in it."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from fairflow.vectors.derivation import open_store
from snakemake_in_forks import Forks

ROOT = Path(__file__).parents[2]
TOY = Path(__file__).parent / "toy"
SNAKEMAKE = [sys.executable, "-m", "snakemake"]
PARTS = ("Snakefile", "workflow", "scripts", "envs", "CITATION.cff")
PRODUCTS = ("results/scores", "results/studies", "results/figures", "results/slices")
FINGERPRINTS = ".snakemake/fairflow_fingerprints.json"
# A user's own profile must not decide whether a test passes.
# What `make test` hands down would make another make speak of its folder.
INHERITED = {"SNAKEMAKE_PROFILE", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"}
ENVIRONMENT = {key: value for key, value in os.environ.items() if key not in INHERITED}
# Packages that a fork has imported before read this one, not what a test sets, but for what pip
# reads, which is a separate process, and proxies, which are read at each request.
OF_FORKS = dict(ENVIRONMENT)
READ_LATE = ("PIP_", "http_proxy", "https_proxy")


@cache
def forks() -> Forks:
    return Forks()


def run(command: list[str], folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command there, in an environment with `more`; what it writes is one text.

    Snakemake is a fork, if only the folder tells what it imports.
    """
    with tempfile.NamedTemporaryFile() as output:
        changed = dict(ENVIRONMENT.items() ^ OF_FORKS.items())
        forked = all(name.startswith(READ_LATE) for name in changed)
        forked = forked and "PYTHONPATH" not in ENVIRONMENT and not more
        if command[:3] == SNAKEMAKE and forked:
            code = forks().run(command[3:], folder, ENVIRONMENT, Path(output.name))
        else:
            code = subprocess.run(
                command,
                cwd=folder,
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
                env=ENVIRONMENT | more,
            ).returncode
        text = Path(output.name).read_text()
    return subprocess.CompletedProcess(command, code, text)


def ended(
    command: Sequence[object], folder: Path, environment: Mapping[str, str] = ENVIRONMENT
) -> subprocess.CompletedProcess[str]:
    """A command that has ended there, with what it wrote to stdout and to stderr."""
    return subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def wait_until(
    happened: Callable[[], object], what: str = "", seconds: float = 300, pause: float = 0.02
) -> None:
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(pause)


class Project:
    """A folder with the workflow in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def command(self, *arguments: str) -> list[str]:
        how = ["--workflow-profile", "workflow/profiles/local", "--cores", "2"]
        return [*SNAKEMAKE, *how, *arguments]

    def run(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run Snakemake; its output is stdout and stderr together."""
        result = run(self.command(*arguments), self.folder)
        assert not check or result.returncode == 0, result.stdout
        return result

    def planned(self, *arguments: str) -> dict[str, int]:
        """Number of jobs that a run would do, by rule; `all` and the total left out."""
        output = self.run("--dry-run", *arguments).stdout
        table = re.search(r"Job stats:\njob +count\n[- ]+\n(.*?)\ntotal ", output, re.DOTALL)
        if table is None:
            assert "Nothing to be done" in output, output
            return {}
        jobs = (line.split() for line in table[1].splitlines())
        return {rule: int(count) for rule, count in jobs if rule != "all"}

    def computed(self, *arguments: str) -> dict[str, dict[str, tuple[int, int]]]:
        """Run; by rule and job, how many of how many cells were computed, as the logs say."""
        logs = self.folder / "results/logs"
        shutil.rmtree(logs, ignore_errors=True)
        self.run(*arguments)
        cells: dict[str, dict[str, tuple[int, int]]] = {}
        for path in logs.rglob("*.log"):
            if said := re.search(r"(\d+) of (\d+) cells computed", path.read_text()):
                rule, job = str(path.relative_to(logs).with_suffix("")).split("/", 1)
                cells.setdefault(rule, {})[job] = (int(said[1]), int(said[2]))
        return cells

    def verify(self) -> subprocess.CompletedProcess[str]:
        """What make verify says."""
        return self.by_script("verify.sh")

    def repair(self) -> subprocess.CompletedProcess[str]:
        """What make repair does before it verifies."""
        return self.by_script("repair.sh", "--quiet", "rules", "host")

    def by_script(self, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a script of workflow/ that takes Snakemake's command."""
        return ended([f"workflow/{script}", *self.command(*arguments)], self.folder)

    def start(self, *arguments: str, script: str = "") -> subprocess.Popen[bytes]:
        """Start a run in a separate session, by a script of workflow/ if one is named."""
        return subprocess.Popen(
            [*([f"workflow/{script}"] if script else ()), *self.command(*arguments)],
            cwd=self.folder,
            env=ENVIRONMENT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace the only occurrence of `old` in a file."""
        file = self.folder / path
        text = file.read_text()
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
        file.write_text(text.replace(old, new))

    def vectors(self, *lineage: str) -> np.ndarray:
        """All vectors of a model, given after those that it is derived from."""
        origin, *derived = (self.folder / "results/models" / model for model in lineage)
        files = (origin / name for name in ("vectors", "index.sqlite", "card.json"))
        with open_store(*files, [folder / "derivation.npz" for folder in derived]) as store:
            return store.vectors(list(store.words()))

    def contents(self, folder: str) -> dict[str, bytes]:
        """Bytes of every file below a folder."""
        files = sorted(path for path in (self.folder / folder).rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in files}

    def products(self) -> dict[str, bytes]:
        """What a run makes of models and words, but for its records."""
        return {path: data for part in PRODUCTS for path, data in self.contents(part).items()}


def command(project: Project, *arguments: str, folder: Path | None = None):
    """The command of the project's own library, as its user types it."""
    environment = os.environ | {"PYTHONPATH": str(project.folder / "scripts")}
    return ended(
        [sys.executable, "-m", "fairflow", *arguments], folder or project.folder, environment
    )


def toy_words() -> list[str]:
    text = (TOY / "config/word_sets/toy.yaml").read_text()
    sets = re.findall(r"\[(.*)\]", text)
    return [word for words in sets for word in words.split(", ")] + ["lynx", "poodle"]


def write_vectors(path: Path, seed: int, header: bool) -> None:
    words = toy_words()
    vectors = np.random.default_rng(seed).normal(size=(len(words), 8))
    lines = [f"{w} {' '.join(f'{x:.5f}' for x in v)}" for w, v in zip(words, vectors, strict=True)]
    head = [f"{len(words)} 8"] if header else []
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join([*head, *lines]) + "\n")


def copy_workflow(folder: Path, config: Path) -> None:
    """A folder with the workflow of this checkout and a configuration."""
    folder.mkdir()
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            # With what Python has compiled of it, under the same dates.
            shutil.copytree(source, folder / part)
        else:
            shutil.copy(source, folder / part)
    shutil.copytree(config, folder / "config")
    if (ROOT / FINGERPRINTS).exists():
        # What planning found out about this code before; of other code it counts for nothing.
        (folder / FINGERPRINTS).parent.mkdir()
        shutil.copy(ROOT / FINGERPRINTS, folder / FINGERPRINTS)


def write_benchmark(project: Project, more: str = "") -> None:
    """A benchmark of the user's own, and further keys of its entry."""
    lines = [f"{a}\t{b}\t{n % 7}" for n, (a, b) in enumerate(pairwise(toy_words()))]
    text = "\n".join([*lines, "cat\tabsent\t1", ""])
    (project.folder / "data/pairs.tsv").write_text(text)
    digest = hashlib.sha256(text.encode()).hexdigest()
    (project.folder / "config/benchmarks.yaml").write_text(
        "mine:\n  kind: similarity\n  label: Mine\n  sources: [{file: data/pairs.tsv}]\n"
        f"  checksum: sha256:{digest}\n  citation: Somebody (2026). Pairs. Journal.\n{more}"
    )


def make_project(folder: Path) -> Project:
    """The toy project: three models, two of them files, three metrics, two queries."""
    copy_workflow(folder, TOY / "config")
    write_vectors(folder / "data/first.txt", seed=1, header=False)
    write_vectors(folder / "data/second.txt", seed=2, header=True)
    return Project(folder)
