"""CITATION.cff keeps to the parts of the Citation File Format 1.2.0 that it uses."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import yaml

import fairflow
from fairflow.errors import former_names

ROOT = Path(__file__).parents[2]
FILE = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_the_licence_is_that_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert FILE["license"] == project["license"]


def test_all_that_cites_the_software_names_one_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    codemeta = json.loads((ROOT / "codemeta.json").read_text(encoding="utf-8"))
    readme = re.search(r"version = \{(.*)\}", (ROOT / "README.md").read_text(encoding="utf-8"))
    named = {project["version"], FILE["version"], codemeta["version"], readme[1]}
    assert named == {fairflow.__version__}


def test_the_changelog_begins_with_the_version_and_has_every_renamed_key():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (newest, *_) = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert newest == f"{fairflow.__version__} - {FILE['date-released']}"
    rows = [line.split("|")[2:4] for line in text.splitlines() if line.startswith("| ")]
    for old, new in former_names()["renamed"].items():
        assert any(re.search(rf"\b{old}\b", a) and re.search(rf"\b{new}\b", b) for a, b in rows), (
            old
        )
