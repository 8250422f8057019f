"""The findings that a report opens with: one of each study, which the study does not repeat."""

from __future__ import annotations

import dataclasses

from fairflow.products.report.page import lead_first, published_in, top_findings, without
from fairflow.products.report.study_section import StudySection
from fairflow.studies.findings.associations import UNKNOWN_CAUSE, published_finding
from fairflow.studies.findings.finding import Finding


def section(name, findings=1, **said):
    """A study with findings; the last does not lead."""
    empty = dict.fromkeys(field.name for field in dataclasses.fields(StudySection))
    study = {"name": name, "title": f"Study {name}", **said}
    found = [Finding(f"{name} {n}", leads=True) for n in range(findings)]
    found.append(Finding(f"{name} in full alone"))
    return StudySection(**empty | {"study": study, "findings": tuple(found), "leaders": ()})


def opening(*sections):
    return [one.finding.sentence for one in top_findings(sections)]


def test_the_page_opens_with_one_finding_of_each_study_that_has_one():
    studies = section("a", findings=3), section("b", findings=0), section("c")
    assert opening(*studies) == ["a 0", "c 0"]


def test_a_study_shows_its_other_findings_alone():
    studies = [section("a", findings=2), section("b")]
    first, second = without(studies, top_findings(studies))
    assert [one.sentence for one in first.leading] == ["a 1"]
    assert second.leading == ()
    assert [one.sentence for one in second.further] == ["b in full alone"]


def test_quality_is_no_answer_and_is_on_the_page_once():
    quality = Finding("Quality: 0.7.", leads=True, about="quality_of_models")
    studies = [section("a"), section("b", findings=0)]
    studies = [dataclasses.replace(one, findings=(quality, *one.findings)) for one in studies]
    assert opening(*studies) == ["a 0"]
    first, second = without(studies, top_findings(studies))
    assert first.leading == (quality,)
    assert second.leading == ()


def test_the_users_own_study_is_first():
    studies = [section("a"), section("b", own=True)]
    assert [one.study["name"] for one in lead_first(studies)] == ["b", "a"]
    assert opening(*studies) == ["b 0", "a 0"]


def test_published_numbers_of_all_studies_are_one_finding():
    def of(name, **numbers):
        one = section(name, findings=0)
        numbers = {key.replace("_", " "): n for key, n in numbers.items()}
        finding = dataclasses.replace(published_finding(numbers), about="published_numbers")
        return dataclasses.replace(one, findings=(finding,))

    studies = of("a", match=2, differs=1, **{UNKNOWN_CAUSE: 1}), of("b", match=1, not_computed=4)
    assert opening(*studies) == []
    assert published_in(studies).sentence == "3 of 4 published numbers reproduced."
    assert published_in([section("a")]) is None
