"""The page, from its sections: templates filled, everything inside, nothing loaded."""

import base64
import gzip
import hashlib
import platform
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from fairflow.products.report.html_tables import TEMPLATES, number_text, with_thousands
from fairflow.products.report.study_section import StudySection
from fairflow.studies.findings.associations import published_finding
from fairflow.studies.findings.finding import SIGNIFICANT, Finding
from fairflow.studies.ranking import LIKELY, SURE

PACKAGES = (
    *("gensim", "jinja2", "matplotlib", "numpy", "pandas", "pyarrow", "scikit-learn", "scipy"),
    "snakemake",
)
SCRIPTS = ("unpack", "sortable_table", "score_details", "chart", "folds", "start")
# Rows of a long table that stand in the page as they are, as many as sortable_table.js shows first;
# and the longest table that is not packed.
FIRST_ROWS, INLINE_ROWS = 10, 30
LANGUAGE_PACKAGES = ("tokenizers", "torch", "transformers")
# Findings of the study that leads, and of all studies.
OF_LEAD, MOST = 2, 5


def page(
    run: Mapping[str, Any],
    sections: Sequence[StudySection],
    norms: pd.DataFrame,
    results: str = "",
) -> str:
    """The whole page as HTML; equal arguments give equal bytes.

    The first screen tells what was found, ranks the models of the study that leads (the first that
    ranks any) and draws its scores. One study, without published numbers, is enough; where a study
    has a "subject", the first sentence says where that model stands among the others.

    Parameters
    ----------
    run : of `fairflow.planning.jobs.run_description`.
    sections : of `fairflow.products.report.study_section.sections`, in the order of the page; those
        whose study says what it "checks" are folded behind the others.
    norms : of each model's vectors, as `fairflow.vectors.vector_norms` measures them; may be empty.
    results : the folder of tables and figures from that of the page, "" or with a / at its end.
    """
    syntax = {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, **syntax)
    plain = {"separators": (",", ":"), "ensure_ascii": False, "allow_nan": False}
    environment.policies["json.dumps_kwargs"] = plain
    environment.filters |= {"number": number_text, "thousands": with_thousands, "packed": packed}
    style, script = _asset("report.css"), _asset(*(f"{name}.js" for name in SCRIPTS))
    main_sections = [section for section in sections if not section.is_check]
    return environment.get_template("page.html").render(
        run=run,
        title=title(run),
        lead=lead_section(main_sections),
        top=top_findings(sections),
        main_sections=main_sections,
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
        versions=versions([*PACKAGES, *(LANGUAGE_PACKAGES if _language_models(run) else ())]),
        style=style,
        script=script,
        policy=content_policy(style, script),
    )


def title(run: Mapping[str, Any]) -> str:
    """What the page is headed by: the model that the only study is about, or what was measured."""
    subjects = [study for study in run["studies"] if study.get("subject")]
    if len(run["studies"]) == 1 and subjects:
        return f"Where {subjects[0]['labels'][subjects[0]['subject']]} stands"
    static = "word embeddings" if run["audited"] else ""
    language = "language models" if _language_models(run) else ""
    return f"Bias in {' and '.join(filter(None, (static, language)))}"


def measured_by(study: Mapping[str, Any], of_items: bool) -> list[str]:
    """The metrics of a study that measure items, or those that measure words."""
    items = study.get("of_items", ())
    return [name for name in study["metrics"] if (name in items) == of_items]


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Python and packages with their versions."""
    version_of = {"Python": platform.python_version()}
    for name in packages:
        try:
            version_of[name] = version(name)
        except PackageNotFoundError:
            version_of[name] = "not installed"
    return version_of


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
    found = [TopFinding(lead.study["name"], "", one) for one in _own(lead)] if lead else []
    others = _of_another_kind_first([section for section in asking if section is not lead], lead)
    if others:
        found = found[:OF_LEAD]
    for section in others:
        name, link = section.study["name"], section.study["title"]
        found += [TopFinding(name, link, one) for one in _own(section)[:1]]
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
    of_items = bool(lead and lead.study.get("of_items"))
    unlike = [one for one in others if lead and bool(one.study.get("of_items")) != of_items]
    clear = [one for one in unlike if one.leading and one.leading[0].verdict == SIGNIFICANT]
    first = next(iter([*clear, *unlike]), None)
    return sorted(others, key=lambda one: one is not first)


def _own(section: StudySection) -> list[Finding]:
    return [one for one in section.leading if not of_published(one)]


def of_published(finding: Finding) -> bool:
    """Whether it tells what became of published numbers."""
    return finding.about == "published_numbers"
