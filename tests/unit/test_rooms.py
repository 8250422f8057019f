"""The rooms of the library: their modules, their imports, and the tests that mirror them."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from runpy import run_path

import pytest

from fairflow.capabilities import CAPABILITIES

ONE, OTHER, *_ = CAPABILITIES
ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "scripts/fairflow"
TESTS = ROOT / "tests/unit"
MODULES = sorted(path for path in LIBRARY.rglob("*.py") if path.name != "__init__.py")
PACKAGES = sorted(path.parent for path in LIBRARY.rglob("__init__.py"))
PAGE = ROOT / "ARCHITECTURE.md"
TEST_FILES = sorted(TESTS.rglob("test_*.py"))


def room(path: Path, root: Path) -> str:
    """The folder of a file, below the root."""
    return path.parent.relative_to(root).as_posix()


def test_every_package_is_installed_and_so_are_the_configuration_and_its_schemas():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    made = {".".join(package.relative_to(LIBRARY.parent).parts) for package in PACKAGES}
    pages = {"fairflow.pages": "workflow/site/pages/write"}
    data = {"fairflow.config": "config", "fairflow.schemas": "workflow/schemas"} | pages
    assert set(settings["packages"]) == made | set(data), "complete pyproject.toml"
    assert settings["package-dir"] == {"": "scripts"} | data
    for package, folder in data.items():
        installed = [
            f for p in settings["package-data"][package] for f in ROOT.glob(f"{folder}/{p}")
        ]
        kept = {f for f in (ROOT / folder).rglob("*") if f.is_file()}
        assert set(installed) == {f for f in kept if (f.suffix == ".md") == (package in pages)}
    assert {path.parent for path in MODULES} <= set(PACKAGES)


def test_the_architecture_lists_every_room_and_whom_it_asks():
    page = run_path(str(TESTS / "document_rooms.py"))["page"]
    assert PAGE.read_text(encoding="utf-8") == page(), "run make docs"


def test_the_architecture_is_a_page_that_the_readme_names_and_its_paths_exist():
    text = PAGE.read_text(encoding="utf-8")
    assert text.count("\n") <= 120
    assert "(ARCHITECTURE.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
    written = re.findall(r"`([\w/.]+/[\w/.]+)`", text)
    assert [path for path in written if not find(path)] == []


def find(path: str) -> bool:
    """Whether a path is there, below the project, the library or in it by a name in capitals."""
    capitals = re.sub(r"\b[A-Z]+\b", "*", path)
    return any(any(folder.glob(capitals)) for folder in (ROOT, LIBRARY))


def lint(scripts: Path) -> subprocess.CompletedProcess[str]:
    """What `make lint` says about the imports below a folder."""
    command = [Path(sys.executable).parent / "lint-imports", "--no-cache"]
    command += ["--config", ROOT / "pyproject.toml"]
    environment = os.environ | {"PYTHONPATH": str(scripts), "COLUMNS": "500"}
    return subprocess.run(
        command, cwd=scripts, env=environment, capture_output=True, text=True, timeout=120
    )


def test_nobody_imports_whom_the_contracts_forbid():
    checked = lint(ROOT / "scripts")
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("files/tables.py", "import fairflow.queries.query", "A room imports only rooms below it"),
        ("planning/plan.py", f"import fairflow.{ONE}", "A room imports only rooms below it"),
        ("scores/variant.py", "import torch", "torch is in one room"),
        (f"{ONE}/__init__.py", f"import fairflow.{OTHER}", "A room imports only rooms below it"),
        ("wefe/__init__.py", "import fairflow.command", "Nobody imports an outer interface"),
        ("attic/__init__.py", "", "A room imports only rooms below it"),
    ],
)
def test_an_import_planted_in_a_copy_is_refused(tmp_path, module, line, contract):
    scripts = tmp_path / "scripts"
    ignored = shutil.ignore_patterns("__pycache__", "templates")
    shutil.copytree(LIBRARY, scripts / "fairflow", ignore=ignored)
    planted = scripts / "fairflow" / module
    planted.parent.mkdir(exist_ok=True)
    with planted.open("a", encoding="utf-8") as file:
        file.write(f"\n\n{line}\n")
    checked = lint(scripts)
    assert checked.returncode == 1, checked.stdout
    assert re.search(rf"{contract}.* BROKEN", re.sub(r"\x1b\[\d+m", "", checked.stdout))


def test_a_test_lies_in_the_room_of_what_it_tests():
    for test in TEST_FILES:
        name, here = test.stem.removeprefix("test_"), room(test, TESTS)
        homes = {room(path, LIBRARY) for path in MODULES if path.stem == name}
        assert here in homes or not homes, f"{test} belongs into {homes}"
        # The pages of the site are no room of the library.
        assert (LIBRARY / here).is_dir() or (ROOT / "workflow" / here).is_dir(), test
