"""Conda environments and container hold the packages of the lock, and run what make run runs."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = sorted((ROOT / "envs").glob("*.yaml"))
LOCK_OF = {"fairflow": "requirements", "language-models": "requirements-lm"}
DOCKERFILE = (ROOT / "Dockerfile").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()


def pins(lock: str) -> set[str]:
    text = (ROOT / f"envs/{lock}.txt").read_text()
    return set(re.findall(r"^([a-z]\S*==\S+) ", text, flags=re.MULTILINE))


def environment(path: Path) -> dict[str, Any]:
    return yaml.safe_load(path.read_text())


def instructions() -> list[tuple[str, str]]:
    """(instruction, arguments) of the Dockerfile, comments left out and lines joined."""
    lines = [line for line in DOCKERFILE.splitlines() if not line.startswith("#")]
    whole = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [tuple(line.split(" ", 1)) for line in whole.splitlines() if line]


def arguments(of: str) -> list[str]:
    return [text for name, text in instructions() if name == of]


@pytest.mark.parametrize("path", ENVIRONMENTS, ids=lambda path: path.stem)
def test_a_conda_environment_has_the_pins_of_its_lock(path: Path):
    torch = re.search(r"^TORCH \?= (torch==\S+)$", MAKEFILE, re.MULTILINE)[1]
    besides = {torch} if path.stem == "language-models" else set()
    assert set(environment(path)["dependencies"][-1]["pip"]) == pins(LOCK_OF[path.stem]) | besides


def test_all_locks_agree_on_every_package_that_they_share():
    """Each is installed into the same .venv, after any other."""
    locks = sorted(path.stem for path in (ROOT / "envs").glob("requirements*.txt"))
    assert len(locks) == 5
    versions: dict[str, set[str]] = {}
    for lock in locks:
        for pin in pins(lock):
            name, _, version = pin.partition("==")
            versions.setdefault(name, set()).add(version)
    assert {name for name, found in versions.items() if len(found) > 1} == set()


def test_the_container_installs_from_the_hash_lock_and_does_what_make_run_does():
    assert 'CMD ["make", "run"]' in DOCKERFILE.splitlines()
    assert "make .venv/workflow" in arguments("RUN")
    # That target is what make run needs, and installs with hashes.
    assert re.search(r"^run: \.venv/workflow( ##.*)?$", MAKEFILE, re.MULTILINE)
    assert (
        ".venv/workflow: envs/requirements.txt\n\t$(call install,envs/requirements.txt)" in MAKEFILE
    )
    assert "--require-hashes --requirement $(1)" in MAKEFILE
    assert not re.search(r"pip install|curl|wget", DOCKERFILE)


def test_python_finds_the_library_of_the_folder_that_it_starts_in(tmp_path):
    line = re.search(r"^LIBRARY_OF_THIS_FOLDER := (.*)$", MAKEFILE, re.M)[1]
    code = f"{line}\nprint(sys.path[-1])"
    for clone in ("one", "two"):
        (tmp_path / clone / "scripts/fairflow").mkdir(parents=True)
    for folder in ("one", "two", "."):
        ran = subprocess.run(
            [sys.executable, "-S", "-c", code],
            cwd=tmp_path / folder,
            capture_output=True,
            text=True,
            check=True,
        )
        last = Path(ran.stdout.strip())
        assert (last == (tmp_path / folder / "scripts").resolve()) == (folder != "."), folder


PROFILES = ("slurm", "cluster-generic")


def rules() -> set[str]:
    """The rules whose name is no study's."""
    texts = (path.read_text() for path in (ROOT / "workflow/rules").rglob("*.smk"))
    return {name for text in texts for name in re.findall(r"^rule (\w+):", text, re.MULTILINE)}


def profile(name: str) -> dict[str, Any]:
    return yaml.safe_load((ROOT / f"workflow/profiles/{name}/config.yaml").read_text())


def groups(name: str) -> dict[str, str]:
    """The group of every rule that a profile puts into one."""
    return dict(entry.split("=") for entry in profile(name)["groups"])


def test_a_model_is_one_submission_and_so_are_its_answers_with_their_scores():
    of_models = {"convert_model", "derive_model", "derive_encoder", "record_model"}
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
