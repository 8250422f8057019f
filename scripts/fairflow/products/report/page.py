"""The page, from its sections: templates filled, everything inside, nothing loaded."""

import base64
import gzip
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from fairflow.products.report.html_tables import TEMPLATES, number_text, with_thousands
from fairflow.products.report.study_section import MISSING, StudySection
from fairflow.studies.findings.associations import published_finding
from fairflow.studies.findings.finding import Finding
from fairflow.studies.ranking import LIKELY, SURE
from fairflow.studies.wording import counted

SCRIPTS = ("unpack", "sortable_table", "score_details", "chart", "folds", "start")
# The rows of a long table that are not packed, as many as sortable_table.js shows first; and the
# number of rows up to which a table is not packed.
FIRST_ROWS, INLINE_ROWS = 10, 30
# A statement that studies of the same models make in the same words; and the statements that do not
# answer the question of a study, which are below its ranks.
QUALITY = "quality_of_models"
NO_ANSWERS = (QUALITY, MISSING, "published_numbers")


def page(
    run: Mapping[str, Any],
    sections: Sequence[StudySection],
    norms: pd.DataFrame,
    results: str = "",
) -> str:
    """The whole page as HTML; equal arguments give equal bytes.

    It opens with the first finding of each study, and then shows the studies, beginning with the
    one that ranks models on most criteria. The page of a single study opens with that study, whose
    "subject", a model, heads the page.

    Parameters
    ----------
    run : of `fairflow.planning.jobs.run_description`; or of merged runs the "runs" (name, version,
        seed, scores_sha256, note) and "studies".
    sections : of `fairflow.products.report.study_section.sections`, in the order of the page; those
        whose study states what it "checks" are folded at the end.
    norms : of each model's vectors, as `fairflow.vectors.vector_norms` measures them; may be empty.
    results : path from the folder of the page to the folder `results`, "" or with a / at its end.
    """
    syntax = {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, **syntax)
    plain = {"separators": (",", ":"), "ensure_ascii": False, "allow_nan": False}
    environment.policies["json.dumps_kwargs"] = plain
    environment.filters |= {"number": number_text, "thousands": with_thousands, "packed": packed}
    style, script = _asset("report.css"), _asset(*(f"{name}.js" for name in SCRIPTS))
    main_sections = [section for section in sections if not section.is_check]
    top = top_findings(main_sections) if len(sections) > 1 else []
    return environment.get_template("page.html").render(
        run=run,
        title=title(run),
        top=top,
        after_ranks=NO_ANSWERS,
        about_one=len(sections) == 1 and bool(sections[0].study.get("subject")),
        reproduced=published_in(sections) if top else None,
        main_sections=without(main_sections, top),
        of_words=any(measured_by(section.study, of_items=False) for section in sections),
        of_items=any(measured_by(section.study, of_items=True) for section in sections),
        checks=[section for section in sections if section.is_check],
        sections=sections,
        results=results,
        published=any(of_published(one) for section in sections for one in section.findings),
        sure=SURE,
        likely=LIKELY,
        first_rows=FIRST_ROWS,
        inline_rows=INLINE_ROWS,
        norms={record["model"]: record for record in norms.to_dict("records")},
        style=style,
        script=script,
        policy=content_policy(style, script),
    )


def title(run: Mapping[str, Any]) -> str:
    """The heading of the page: the model that the only study is about, or what was measured."""
    if "runs" in run:
        return f"Leaderboard of {counted(len(run['runs']), 'run')}"
    subjects = [study for study in run["studies"] if study.get("subject")]
    if len(run["studies"]) == 1 and subjects:
        return f"Bias in {subjects[0]['labels'][subjects[0]['subject']]}"
    static = "word embeddings" if run["audited"] else ""
    language = "language models" if _language_models(run) else ""
    return f"Bias in {' and '.join(filter(None, (static, language)))}"


def measured_by(study: Mapping[str, Any], of_items: bool) -> list[str]:
    """The metrics of a study that measure items, or those that measure words."""
    items = study.get("of_items", ())
    return [name for name in study["metrics"] if (name in items) == of_items]


def content_policy(style: str, script: str) -> str:
    """A policy by which browsers run this style and script and load nothing from elsewhere."""
    return (
        f"default-src 'none'; img-src data:; style-src {_digest(style)}; "
        f"script-src {_digest(script)}; base-uri 'none'; form-action 'none'"
    )


def _language_models(run: Mapping[str, Any]) -> bool:
    return len(run["audited"]) < len(run["models"])


def _asset(*names: str) -> Markup:
    # Ours, and without '</': the only file contents that go into the page unescaped.
    texts = [(TEMPLATES / name).read_text(encoding="utf-8") for name in names]
    return Markup("\n".join(texts))


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def packed(text: str) -> str:
    """A text as gzip in base64, as `unpack.js` reads it; the same text gives the same letters."""
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def unpacked(letters: str) -> str:
    """What `packed` made letters of."""
    return gzip.decompress(base64.b64decode(letters)).decode()


class TopFinding(NamedTuple):
    """The first finding of a study, with the study's name and title."""

    study: str
    title: str
    finding: Finding


def lead_first(sections: Sequence[StudySection]) -> list[StudySection]:
    """The user's own study that ranks models on most criteria, or else any, then the others."""
    own = [section for section in sections if section.study.get("own")] or sections
    lead = max(own, key=lambda one: len(one.leaders and one.leaders[0].criteria), default=None)
    return sorted(sections, key=lambda one: one is not lead)


def top_findings(sections: Sequence[StudySection]) -> list[TopFinding]:
    """The first finding of each study that answers its question, in the order of the page."""
    found = []
    for section in lead_first(sections):
        answers = [one for one in section.leading if one.about not in NO_ANSWERS]
        named = section.study["name"], section.study["title"]
        found += [TopFinding(*named, one) for one in answers[:1]]
    return found


def without(sections: Sequence[StudySection], top: Sequence[TopFinding]) -> list[StudySection]:
    """The sections, in order, without findings that the page shows before them."""
    opening = {one.study: one.finding for one in top}
    shown: set[str] = set()
    parts = []
    for section in lead_first(sections):
        own = opening.get(section.study["name"])
        new = [one for one in section.findings if one is not own and one.text not in shown]
        shown |= {one.text for one in new if one.about == QUALITY}
        parts.append(replace(section, findings=tuple(new)))
    return parts


def published_in(sections: Sequence[StudySection]) -> Finding | None:
    """How many published numbers of all studies are reproduced; None without published numbers."""
    numbers = Counter[str]()
    for section in sections:
        numbers.update(*(one.numbers for one in section.findings if of_published(one)))
    return published_finding(numbers) if numbers else None


def of_published(finding: Finding) -> bool:
    """Whether it counts the published numbers that are reproduced."""
    return finding.about == "published_numbers"
