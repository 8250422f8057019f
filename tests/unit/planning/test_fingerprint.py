"""A fingerprint changes with the code that a result can depend on, and with nothing else."""

import atexit
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fairflow.capabilities import CAPABILITIES
from fairflow.planning.fingerprint import remembering

LIBRARY = Path(__file__).parents[3] / "scripts/fairflow"
# The module, and what it imports.
FINGERPRINT = ("planning/fingerprint.py", "files/atomic.py", "files/memory.py", "errors.py")
FINGERPRINT += ("capabilities.py",)

MODULE = "def double(x):\n    return 2 * x\n"


@pytest.fixture
def fingerprint_of_a(tmp_path):
    """The fingerprint of the module `a` of a toy package fairflow with these other files."""
    package = tmp_path / "fairflow"
    for name in FINGERPRINT:
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(LIBRARY / name, package / name)
    (package / "__init__.py").touch()

    def fingerprint(a, **files):
        for name, source in {"a": a, **files}.items():
            path = tmp_path / name[1:] if name.startswith("_") else package / name
            path.parent.mkdir(exist_ok=True)
            file = path if path.suffix else path.with_name(path.name + ".py")
            file.write_text(source, encoding="utf-8")
        # In a new process, because fingerprints and modules are cached.
        return subprocess.run(
            [sys.executable, "-c", "from fairflow.planning.fingerprint import fingerprint as f\n"
             "print(f('fairflow.a'), end='')"],
            env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip

    return fingerprint


def test_a_fingerprint_is_twelve_hexadecimal_digits_and_repeatable(fingerprint_of_a):
    first = fingerprint_of_a(MODULE)
    assert len(first) == 12
    assert int(first, 16) >= 0
    assert fingerprint_of_a(MODULE) == first


@pytest.mark.parametrize(
    "edited",
    [
        "# why\ndef double(x):  # how\n    return 2 * x\n",
        '"""A module."""\n\ndef double(x):\n    """Twice x."""\n    return 2 * x\n',
        "def double(\n    x,\n):\n\n    return (2 * x)\n",
        "def double(x: int) -> int:\n    return 2 * x\n",
    ],
    ids=["comments", "docstrings", "layout", "annotations"],
)
def test_what_cannot_change_a_result_does_not_count(fingerprint_of_a, edited):
    assert fingerprint_of_a(edited) == fingerprint_of_a(MODULE)


@pytest.mark.parametrize(
    "edited",
    [
        "def double(x):\n    return 3 * x\n",
        "def double(x):\n    return x * 2\n",
        "def double(x=0):\n    return 2 * x\n",
        MODULE + "\nLIMIT = 1\n",
    ],
)
def test_code_counts(fingerprint_of_a, edited):
    assert fingerprint_of_a(edited) != fingerprint_of_a(MODULE)


@pytest.mark.parametrize(
    "importing",
    [
        "import fairflow.b\n",
        "from fairflow import b\n",
        "from fairflow.b import number\n",
        "from .b import number\n",
        "from . import b\n",
        "def later():\n    from fairflow.b import number\n    return number\n",
    ],
)
def test_a_module_of_fairflow_that_is_imported_counts(fingerprint_of_a, importing):
    before = fingerprint_of_a(importing, b="number = 1\n")
    assert fingerprint_of_a(importing, b="number = 2\n") != before


def test_a_module_that_an_imported_one_imports_counts(fingerprint_of_a):
    importing = {"a": "import fairflow.b\n", "b": "from fairflow.c import number\n"}
    before = fingerprint_of_a(**importing, c="number = 1\n")
    assert fingerprint_of_a(**importing, c="number = 2\n") != before


def test_a_module_of_fairflow_that_is_not_imported_does_not_count(fingerprint_of_a):
    before = fingerprint_of_a(MODULE, b="number = 1\n")
    assert fingerprint_of_a(MODULE, b="number = 2\n") == before


def test_a_module_outside_fairflow_does_not_count(fingerprint_of_a):
    # A leading underscore puts the file next to the package.
    before = fingerprint_of_a("import other\n", _other="number = 1\n")
    assert fingerprint_of_a("import other\n", _other="number = 2\n") == before


def test_data_beside_a_module_that_names_it_counts(fingerprint_of_a):
    reading = "SIZES = read_yaml(Path(__file__).with_name('sizes.yaml'))\n"
    first, *others = (
        fingerprint_of_a(reading, **{"sizes.yaml": size, "other.yaml": other})
        for size, other in (("small: 1", ""), ("small: 2", ""), ("small: 1", "named: nowhere"))
    )
    assert others[0] != first
    assert others[1] == first


@pytest.fixture
def code(tmp_path):
    folder = tmp_path / "code"
    (folder / "room").mkdir(parents=True)
    (folder / "room/one.py").write_text("ONE = 1\n")
    return folder


@pytest.fixture
def run(code, tmp_path, monkeypatch):
    """Ask for a fingerprint as a run does, to its end: the answer, and what had to be parsed."""

    def ask(*modules, memory=tmp_path / "memory/fingerprints.json", keep=True):
        parsed, ends = [], []
        monkeypatch.setattr(atexit, "register", ends.append)
        fingerprint = remembering(lambda *m: parsed.append(m) or f"of {m}", memory, code, keep)
        answers = {fingerprint(*modules) for _ in range(2)}
        for end in ends:
            end()
        return answers, parsed

    return ask


def test_what_one_run_parsed_the_next_does_not(run):
    assert run("a", "b") == ({"of ('a', 'b')"}, [("a", "b")])
    assert run("a", "b") == ({"of ('a', 'b')"}, [])
    assert run("a") == ({"of ('a',)"}, [("a",)])
    assert run("a", "b")[1] == run("a")[1] == []


@pytest.mark.parametrize("edit", ["contents", "new file", "other place"])
def test_any_edit_of_the_code_has_all_parsed_again(run, code, edit):
    run("a")
    if edit == "contents":
        (code / "room/one.py").write_text("ONE = 2\n")
    elif edit == "new file":
        (code / "room/two.py").touch()
    else:
        (code / "room/one.py").rename(code / "room/other.py")
    assert run("a")[1] == [("a",)]
    assert run("a")[1] == []


def test_an_edit_of_a_file_outside_the_code_has_it_parsed_again(run, tmp_path):
    metric = tmp_path / "distance.py"
    metric.write_text("a - b\n")
    run("a", str(metric))
    # An edit that leaves the length as it was.
    metric.write_text("b - a\n")
    assert run("a", str(metric))[1] == [("a", str(metric))]
    assert run("a", str(metric))[1] == []


@pytest.mark.parametrize(
    "contents", ["", "{", "[]", "null", json.dumps({"state": 1}), json.dumps({"fingerprints": {}})]
)
def test_a_memory_that_says_nothing_counts_for_nothing(run, tmp_path, contents):
    memory = tmp_path / "broken.json"
    memory.write_text(contents)
    assert run("a", memory=memory) == ({"of ('a',)"}, [("a",)])
    assert run("a", memory=memory)[1] == []


@pytest.mark.parametrize("file", sorted(LIBRARY.rglob("*.yaml")), ids=lambda file: file.name)
def test_each_data_file_is_named_where_it_is_read_so_that_it_counts_as_code(file):
    folder, name = file.parent, file.name
    folder = folder.parent if folder.name == "templates" else folder
    read = (f'"{name}"' in module.read_text() for module in folder.glob("*.py"))
    asked = (f'files_of_capabilities("{name}")' in one.read_text() for one in LIBRARY.rglob("*.py"))
    assert any(read) or (folder.name in CAPABILITIES and any(asked))
