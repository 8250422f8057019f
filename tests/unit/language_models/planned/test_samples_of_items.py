"""How many items a study asks about: all, or a sample that studies share."""

import shutil
from pathlib import Path

import pytest
from shipped import CONFIG, faults_of, shipped

from fairflow.planning.planner import make_plan
from fairflow.planning.registry import Jobs

LANGUAGE = "studies/language_models_items.yaml"


@pytest.fixture
def folder(tmp_path):
    ignored = shutil.ignore_patterns("weathub_*", "french.yaml")
    return Path(shutil.copytree(CONFIG, tmp_path / "config", ignore=ignored))


def planned(folder, **changes):
    return make_plan(shipped(folder, language_models=True, **changes))


def with_items(folder, number):
    text = (folder / LANGUAGE).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("items:")]
    lines += [f"items: {number}"] if number else []
    (folder / LANGUAGE).write_text("\n".join([*lines, ""]), encoding="utf-8")


def sample(plan):
    """The number of items used of a query, and the seed of their draw."""
    how = Jobs(plan).of("items", query="people_pairs").how
    return how["number"], how["seed"]


def test_a_study_asks_about_all_items_or_a_sample_of_each_query(folder):
    with_items(folder, None)
    assert sample(planned(folder)) == (None, 0)
    with_items(folder, 5)
    assert sample(planned(folder)) == (5, 2020)
    assert sample(planned(folder, items="all")) == (None, 0)
    assert sample(planned(folder, items=7)) == (7, 2020)


@pytest.mark.parametrize("number", ["0", "some"])
def test_a_number_of_items_is_all_or_a_whole_number(folder, number):
    with_items(folder, number)
    (problem,) = faults_of(planned, folder)
    assert "items: found" in problem
    assert "expected all or a whole number from 1" in problem


def test_studies_that_share_a_query_share_the_smallest_sample(folder):
    with_items(folder, 6)
    shutil.copy(folder / LANGUAGE, folder / "studies/other.yaml")
    for file, old, new in (
        ("studies/other.yaml", "items: 6", "items: 5"),
        ("config.yaml", "- language_models_items", "- language_models_items\n  - other"),
    ):
        (folder / file).write_text((folder / file).read_text().replace(old, new, 1))
    assert sample(planned(folder)) == (5, 2020)
