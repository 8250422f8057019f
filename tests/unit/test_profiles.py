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


def rules(file: str) -> dict[str, str]:
    text = (ROOT / f"workflow/rules/{file}.smk").read_text()
    blocks = re.split(r"^rule (\w+):\n", text, flags=re.MULTILINE)[1:]
    found = dict(zip(blocks[::2], blocks[1::2], strict=True))
    return {name: block for name, block in found.items() if name not in TARGETS}


def profile(name: str) -> dict[str, Any]:
    return yaml.safe_load((ROOT / f"workflow/profiles/{name}/config.yaml").read_text())


def pins(lock: str) -> set[str]:
    text = (ROOT / f"envs/{lock}.txt").read_text()
    return set(re.findall(r"^([a-z]\S*==\S+) ", text, flags=re.MULTILINE))


@pytest.mark.parametrize("rule", ["slice_vectors", "score_query"])
def test_slices_and_scores_are_submitted_together(rule: str):
    assert 'group:\n        "cells"' in rules("scores")[rule]


# A rule between two of a group that is not in it makes Snakemake refuse the plan.
@pytest.mark.parametrize("file", ["studies", "figures"])
def test_all_tables_and_figures_of_a_study_are_submitted_together(file: str):
    for name, block in rules(file).items():
        if name == "tabulate_scores":
            continue
        assert 'group:\n        "tables"' in block, name


def test_the_rule_of_most_inputs_is_in_no_group_which_would_make_planning_quadratic():
    assert "group:" not in rules("studies")["tabulate_scores"]
    assert "    tabulate_scores,\n" in (ROOT / "Snakefile").read_text()


def test_profiles_ask_for_the_same_groups_and_resources():
    slurm, generic = map(profile, PROFILES)
    for key in ("group-components", "cores", "jobs", "retries", "set-resources"):
        assert slurm[key] == generic[key]
    for key in ("mem_mb", "runtime"):
        assert slurm["default-resources"][key] == generic["default-resources"][key]


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_names_rules_that_exist(name: str):
    files = ("models", "scores", "studies", "figures", "language_models")
    existing = {rule for file in files for rule in rules(file)}
    assert set(profile(name)["set-resources"]) <= existing


def test_the_locks_of_cluster_and_development_hold_the_pins_below_them():
    assert pins("requirements") < pins("requirements-cluster") < pins("requirements-dev")


def test_slurm_is_asked_for_no_array_jobs():
    assert not any(key.startswith("slurm-array") for key in profile("slurm"))
