"""The page, from its sections: templates filled, everything inside, nothing loaded."""

import base64
import gzip
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from fairflow.products.report.html_tables import OVERVIEWS, TEMPLATES, number_text, with_thousands
from fairflow.products.report.standings import QUALITY, models_table
from fairflow.products.report.study_section import StudySection, shared_glyphs
from fairflow.studies.claims.associations import reproduced_claim
from fairflow.studies.claims.claim import REPRODUCED
from fairflow.studies.claims.words import worded
from fairflow.studies.wording import counted

SCRIPTS = ("unpack", "sortable_table", "score_details", "chart", "folds", "start")
# The rows of a long table that are not packed, and the number of rows up to which a table is not.
FIRST_ROWS, INLINE_ROWS = 3, 6


def page(
    run: Mapping[str, Any],
    sections: Sequence[StudySection],
    norms: pd.DataFrame,
    results: str = "",
) -> str:
    """The whole page as HTML; equal arguments give equal bytes.

    It opens with a table of studies and a table of models, and then shows the studies in their
    order. The page of a single study has a "subject", a model, which heads the page.

    Parameters
    ----------
    run : of `fairflow.planning.jobs.run_description`; or of merged runs the "runs" (name, version,
        seed, scores_sha256, note) and "studies".
    sections : of `fairflow.products.report.study_section.sections`, in the order of the page; those
        whose study states what it "checks" are folded at the end.
    norms : of each model's vectors, as `fairflow.vectors.directions` measures them; may be empty.
    results : path from the folder of the page to the folder `results`, "" or with a / at its end.
    """
    syntax = dict[str, Any](undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, **syntax)
    plain = {"separators": (",", ":"), "ensure_ascii": False, "allow_nan": False}
    environment.policies["json.dumps_kwargs"] = plain
    environment.filters.update(number=number_text, thousands=with_thousands, packed=packed)
    style, script = _asset("report.css", "models.css"), _asset(*(f"{name}.js" for name in SCRIPTS))
    main_sections = [section for section in sections if not section.is_check]
    several = len(sections) > 1
    columns = [column for section in main_sections for column in section.columns]
    labels = {name: text for section in sections for name, text in section.labels.items()}
    models = models_table(columns, labels)
    return environment.get_template("page.html").render(
        run=run,
        title=title(run),
        own_heading=own_heading(run),
        top=main_sections if several else [],
        models=models,
        quality=next((one.metric for one in models.columns if one.scale == QUALITY), ""),
        about_one=len(sections) == 1 and bool(sections[0].study.get("subject")),
        reproduced=reproduced_in(sections) if several else "",
        main_sections=main_sections,
        of_words=any(measured_by(section.study) for section in sections),
        others=OVERVIEWS if any(measured_by(one.study, False) for one in sections) else (),
        checks=[section for section in sections if section.is_check],
        sections=sections,
        glyphs="".join(shared_glyphs(one for part in sections for one in part.figures).values()),
        results=results,
        published=bool(reproduced_in(sections)),
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
    if heading := own_heading(run):
        return heading
    static = "word embeddings" if run["audited"] else ""
    language = "language models" if len(run["audited"]) < len(run["models"]) else ""
    return f"Bias in {' and '.join(filter(None, (static, language)))}"


def own_heading(run: Mapping[str, Any]) -> str:
    """The heading that all studies of a run have; "" where they are of several kinds, or usual."""
    headings = {study.get("heading", "") for study in run["studies"]}
    return str(*headings) if len(headings) == 1 else ""


def measured_by(study: Mapping[str, Any], of_words: bool = True) -> list[str]:
    """The metrics of a study that measure words, or the others."""
    others = study.get("of_others", ())
    return [name for name in study["metrics"] if (name not in others) == of_words]


def content_policy(style: str, script: str) -> str:
    """A policy by which browsers run this style and script and load nothing from elsewhere."""
    return (
        f"default-src 'none'; img-src data:; style-src {_digest(style)}; "
        f"script-src {_digest(script)}; base-uri 'none'; form-action 'none'"
    )


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


def reproduced_in(sections: Sequence[StudySection]) -> str:
    """How many published numbers of all studies are reproduced; "" without published numbers."""
    own = [one for section in sections for one in section.said.claims if one.kind == REPRODUCED]
    numbers = Counter[str]()
    for one in own:
        numbers.update(one.facts["counts"])
    unexplained = sum(one.facts["unexplained"] for one in own)
    total = worded([reproduced_claim(numbers, unexplained)] * bool(own), {})
    return total[0].sentence if total else ""
