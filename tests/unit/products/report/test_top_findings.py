"""The first screen of a report: which studies are told of before others."""

from __future__ import annotations

import dataclasses

import pytest

from fairflow.products.report.page import MOST, top_findings
from fairflow.products.report.study_section import StudySection
from fairflow.studies.findings.associations import UNKNOWN_CAUSE, published_finding
from fairflow.studies.findings.finding import SIGNIFICANT, Finding


def section(name, items=False, clear=False, findings=1):
    """A study with findings, of scores of items or of words."""
    empty = dict.fromkeys(field.name for field in dataclasses.fields(StudySection))
    study = {"name": name, "title": name, "of_items": ["crows_pairs"] if items else []}
    verdict = SIGNIFICANT if clear else ""
    found = [Finding(f"{name} {n}", verdict=verdict, leads=True) for n in range(findings)]
    found.append(Finding(f"{name} in full alone"))
    return StudySection(**empty | {"study": study, "findings": tuple(found), "leaders": ()})


def told(*sections):
    return [one.finding.sentence for one in top_findings(sections)]


def test_the_study_that_leads_has_two_findings_and_others_one():
    assert told(section("a", findings=3), section("b", findings=2)) == ["a 0", "a 1", "b 0"]


@pytest.mark.parametrize("leads", [False, True])
def test_of_another_kind_of_question_one_is_told_of_before_all_others(leads):
    same = [section(name, items=leads) for name in "abcde"]
    others = [section(name, items=not leads) for name in "xy"]
    assert told(*same, *others)[:3] == ["a 0", "x 0", "b 0"]
    assert len(told(*same, *others)) == MOST


def test_of_several_the_first_that_is_beyond_chance():
    items = [section("x", True), section("y", True, clear=True), section("z", True, clear=True)]
    assert told(section("a"), section("b"), *items) == ["a 0", "y 0", "b 0", "x 0", "z 0"]


def test_published_numbers_of_all_studies_are_one_finding():
    def of(name, **numbers):
        one = section(name, findings=0)
        numbers = {key.replace("_", " "): n for key, n in numbers.items()}
        finding = dataclasses.replace(published_finding(numbers), about="published_numbers")
        return dataclasses.replace(one, findings=(finding,))

    two = {"match": 2, "differs": 1, UNKNOWN_CAUSE: 1}
    (said,) = told(of("a", **two), of("b", match=1, not_computed=4))
    assert said == "3 of 4 published numbers reproduced."
    assert told(section("a")) == ["a 0"]
