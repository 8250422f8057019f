"""The profiles for clusters agree with the rules, with each other and with the lock."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PROFILES = ("slurm", "cluster-generic")
TARGETS = {"scores", "rankings", "figures"}


def rules(file: str = "*") -> set[str]:
    """The rules of a file, or of all."""
    files = (ROOT / "workflow/rules").glob(f"{file}.smk")
    form = r"^(?:rule|use rule \w+ as) (\w+)"
    names = (re.findall(form, path.read_text(), re.MULTILINE) for path in files)
    return {name for names_of_file in names for name in names_of_file} - TARGETS


def profile(name: str) -> dict[str, Any]:
    return yaml.safe_load((ROOT / f"workflow/profiles/{name}/config.yaml").read_text())


def pins(lock: str) -> set[str]:
    text = (ROOT / f"envs/{lock}.txt").read_text()
    return set(re.findall(r"^([a-z]\S*==\S+) ", text, flags=re.MULTILINE))


def groups(name: str) -> dict[str, str]:
    """The group of every rule that a profile puts into one."""
    return dict(entry.split("=") for entry in profile(name)["groups"])


@pytest.mark.parametrize("name", PROFILES)
def test_a_converted_model_and_what_is_made_of_it_are_submitted_together(name: str):
    made = {rule for rule, group in groups(name).items() if group == "model"}
    assert made >= {"convert_model", "derive_model", "order_words", "record_model"}


# A rule between two of a group that is not in it makes Snakemake refuse the plan.
@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("file", ["studies", "figures"])
def test_all_tables_and_figures_of_a_study_are_submitted_together(file: str, name: str):
    for rule in rules(file) - {"tabulate_scores"}:
        assert groups(name).get(rule) == "tables", rule


def test_profiles_ask_for_the_same_groups_and_resources():
    slurm, generic = map(profile, PROFILES)
    for key in ("groups", "group-components", "cores", "jobs", "retries", "set-resources"):
        assert slurm[key] == generic[key]
    for key in ("mem_mb", "runtime"):
        assert slurm["default-resources"][key] == generic["default-resources"][key]


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_names_rules_that_exist(name: str):
    assert {*profile(name)["set-resources"], *groups(name)} <= rules()


def test_the_locks_of_cluster_and_development_hold_the_pins_below_them():
    assert pins("requirements") < pins("requirements-cluster") < pins("requirements-dev")
