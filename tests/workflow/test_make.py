"""What make is given goes to Snakemake as it is, and nothing in the folder is run for it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from project import ROOT, Project, run, write_vectors
from test_audit import PRESETS

pytestmark = pytest.mark.workflow

# `touch X` is run where a shell or make reads one of its parts.
NAME = "a\";touch X;'`touch X`$(touch X)$$(touch X)$(shell touch X);touch X;"
VARIABLES = {
    "audit": ["PRESET", "FORMAT", "POOLING", "CORES"],
    "run": ["STUDY"],
    "report": ["STUDY"],
    "paper": ["DOWNLOAD", "STUDY"],
    "run-lm": ["STUDY", "DOWNLOAD", "ITEMS"],
}


@pytest.fixture
def project(fresh: Project) -> Project:
    """The toy project with the Makefile, and this Python's packages as its .venv."""
    shutil.copy(ROOT / "Makefile", fresh.folder)
    (fresh.folder / ".venv").mkdir()
    for part in ("bin", "lib", "pyvenv.cfg"):
        (fresh.folder / ".venv" / part).symlink_to(Path(sys.prefix) / part)
    for environment in ("workflow", "language-models"):
        (fresh.folder / ".venv" / environment).touch()
    (fresh.folder / "config/presets.yaml").write_text(PRESETS)
    with open(fresh.folder / "config/config.yaml", "a") as file:
        file.write("audit_references: [first]\n")
    return fresh


def make(project: Project, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return run(["make", *arguments], project.folder, **environment)


@pytest.mark.parametrize(
    ("target", "variable"), [(t, variable) for t, names in VARIABLES.items() for variable in names]
)
def test_no_value_of_a_variable_is_run(project: Project, target: str, variable: str):
    # Of Snakemake only what it is given counts here.
    (project.folder / "workflow/run.sh").write_text('#!/bin/sh\nprintf "%s\\n" "$@" >given\n')
    result = make(project, target, "MODEL=data/first.txt", f"{variable}={NAME}")
    assert not [*project.folder.rglob("X")], result.stdout
    if variable != "FORMAT" and target != "paper":
        given = (project.folder / "given").read_text().splitlines()
        settings = [line.partition("=")[2] for line in given if "=" in line]
        values = [yaml.safe_load(text) for text in settings] if variable != "CORES" else given
        assert NAME in values or [NAME] in values


RECIPES = (ROOT / "Makefile").read_text()
# Every variable that a recipe or a setting reads, but for those that may come from there.
READ = {*re.findall(r"(?:\$\$\{?|@)([A-Z_]{2,})\b(?!=)", RECIPES)} - {"CORES", "PYTHON", "TORCH"}


@pytest.mark.parametrize("more", [[], ["-e"]])
@pytest.mark.parametrize("target", [*VARIABLES, "ledger"])
def test_the_environment_holds_no_setting(project: Project, target: str, more: list[str]):
    (project.folder / "workflow/run.sh").write_text('#!/bin/sh\nprintf "%s\\n" "$@" >given\n')
    assert {"NAME", "DOWNLOAD", "ITEMS"} <= READ
    given = []
    model = ["MODEL=data/first.txt"] if target == "audit" else []
    for environment in ({}, dict.fromkeys(READ - {"MODEL"} | {"FETCH"}, "toy"), {"MODEL": "x"}):
        make(project, *more, target, *model, "CORES=1", **environment)
        given.append((project.folder / "given").read_text())
    assert given[0] == given[1] == given[2]


def test_the_paper_of_one_study_is_planned_and_an_unknown_one_refused(project: Project):
    (project.folder / "workflow/run.sh").write_text('#!/bin/sh\nprintf "%s\\n" "$@" >given\n')
    refused = make(project, "paper", "STUDY=none")
    assert refused.returncode == 2
    assert "Traceback" not in refused.stdout
    assert not (project.folder / "given").exists()
    make(project, "paper", "STUDY=toy", "DOWNLOAD=bundled")
    given = (project.folder / "given").read_text().splitlines()
    settings = ['studies=["toy"]', 'download=!!str "bundled" # as it is']
    assert given[given.index("--config") :] == ["--config", *settings, "--", "all", "paper"]


def test_a_file_is_audited_under_its_own_name(project: Project):
    pages: set[Path] = set()
    for name in (NAME, "$x_$ * \\ é日 #1.txt", "300"):
        write_vectors(project.folder / name, seed=3, header=False)
        result = make(project, "audit", f"MODEL={name}", "CORES=1")
        assert result.returncode == 0, result.stdout[-3000:]
        assert not (project.folder / "X").exists()
        (page,) = {*(project.folder / "results/audit").glob("*/report.html")} - pages
        pages.add(page)
        place = str(page.relative_to(project.folder))
        assert any(line.startswith(f"Report: {place}") for line in result.stdout.splitlines())
        assert any(line.startswith(f"{name}    ") for line in result.stdout.splitlines())


@pytest.mark.parametrize("name", [b"two\nlines.txt", b"\xff.txt", b"a\x1b[1mb.txt", b"{model}.txt"])
def test_a_name_that_the_workflow_cannot_hold_is_refused_in_a_sentence(
    project: Project, name: bytes
):
    write_vectors(project.folder / os.fsdecode(name), seed=3, header=False)
    result = make(project, "audit", f"MODEL={os.fsdecode(name)}", "CORES=1")
    assert result.returncode != 0
    assert "ename it" in result.stdout
    assert "Traceback" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "new"),
    [(["mend"], "make repair"), (["-n", "paper", "FETCH=all"], "DOWNLOAD=all")],
)
def test_an_old_name_stops_with_the_new_one(project: Project, arguments: list[str], new: str):
    result = make(project, *arguments)
    assert result.returncode == 2
    assert new in result.stdout
