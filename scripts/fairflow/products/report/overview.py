"""The first screen: what the studies of a run found, the most important first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fairflow.products.report.study_section import StudySection
from fairflow.studies.findings.associations import published_finding
from fairflow.studies.findings.finding import BEYOND_CHANCE, Finding

OF_LEAD, MOST = 2, 5


@dataclass(frozen=True)
class TopFinding:
    """A finding; study : its name, "" where it is of all. link : its title if it does not lead."""

    study: str
    link: str
    finding: Finding


def lead_section(sections: Sequence[StudySection]) -> StudySection | None:
    """The study that the page opens with: the user's own, or that which ranks on most criteria."""
    own = [section for section in sections if section.study.get("own")] or sections
    return max(own, key=lambda one: len(one.leaders and one.leaders[0].criteria), default=None)


def top_findings(sections: Sequence[StudySection]) -> list[TopFinding]:
    """The first findings of the study that leads, the first of others, and published numbers.

    Of the others one that asks another kind of question comes first.

    Parameters
    ----------
    sections : of the studies that ask something of their own, and of those that check pages, whose
        published numbers count too.
    """
    asking = [section for section in sections if not section.is_check]
    lead = lead_section(asking)
    others = _of_another_kind_first([section for section in asking if section is not lead], lead)
    found = [*_own(lead, OF_LEAD if others else MOST, "")] if lead else []
    for section in others:
        found += _own(section, 1, section.study["title"])
    numbers = Counter[str]()
    for section in sections:
        numbers.update(*(one.numbers for one in section.findings if of_published(one)))
    return [*found[:MOST], *([TopFinding("", "", published_finding(numbers))] if numbers else [])]


def _of_another_kind_first(
    others: Sequence[StudySection], lead: StudySection | None
) -> list[StudySection]:
    """One study before all others that scores items where the one that leads scores words.

    Or the other way round; of several the first whose first finding is beyond chance.
    """
    unlike = [one for one in others if lead and _of_items(one) != _of_items(lead)]
    clear = [one for one in unlike if one.leading and one.leading[0].verdict == BEYOND_CHANCE]
    first = next(iter([*clear, *unlike]), None)
    return sorted(others, key=lambda one: one is not first)


def _of_items(section: StudySection) -> bool:
    return bool(section.study.get("of_items"))


def _own(section: StudySection, most: int, link: str) -> Iterator[TopFinding]:
    found = [one for one in section.leading if not of_published(one)]
    return (TopFinding(section.study["name"], link, one) for one in found[:most])


def of_published(finding: Finding) -> bool:
    """Whether it tells what became of published numbers."""
    return finding.about == "published_numbers"
