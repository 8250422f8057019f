"""The profiles for clusters agree with the rules, with each other and with the lock."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PROFILES = ("slurm", "cluster-generic")


def rules() -> set[str]:
    """The rules whose name is no study's."""
    texts = (path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk"))
    return {name for text in texts for name in re.findall(r"^rule (\w+):", text, re.MULTILINE)}


def profile(name: str) -> dict[str, Any]:
    return yaml.safe_load((ROOT / f"workflow/profiles/{name}/config.yaml").read_text())


def pins(lock: str) -> set[str]:
    text = (ROOT / f"envs/{lock}.txt").read_text()
    return set(re.findall(r"^([a-z]\S*==\S+) ", text, flags=re.MULTILINE))


def groups(name: str) -> dict[str, str]:
    """The group of every rule that a profile puts into one."""
    return dict(entry.split("=") for entry in profile(name)["groups"])


def test_a_model_is_one_submission_and_so_are_its_answers_with_their_scores():
    of_models = {"convert_model", "derive_model", "record_model"}
    of_cells = {"look_up_words", "look_up_embeddings", "score_queries", "score_items"}
    together = groups("slurm")
    assert {rule for rule, group in together.items() if group == "model"} == of_models
    assert {rule for rule, group in together.items() if group == "cells"} == of_cells


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
