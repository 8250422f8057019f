"""A document for people: a section for a model card.

Its sentences are those of `fairflow.studies.claims`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from fairflow.provenance.exports.exported_study import ExportedScore, ExportedStudy
from fairflow.studies.audit_results import LIMITS
from fairflow.studies.claims.study_claims import stated
from fairflow.studies.wording import facts_table, interval_text, plain_markdown, short_number

_HEAD = ("Metric", "Query", "Score", "Interval", "p", "Fair value", "Over", "Remark")


def model_card(study: ExportedStudy) -> dict[str, str]:
    """MODEL.md: findings, every score, what is missing, limits (Mitchell et al. 2019)."""
    return {f"{model}.md": "\n".join(_lines(study, model)) + "\n" for model in study.models}


def _lines(study: ExportedStudy, model: str) -> Iterator[str]:
    facts, scores = study.models[model], study.scores.get(model, [])
    told = {"Model": facts["label"], "Source": facts.get("sources"), "Study": study.study.title}
    told |= {
        "Note": facts.get("note"),
        "Licence": facts.get("licence"),
        "Citation": facts.get("citation"),
    }
    readings = {one.metric: one.reading for one in scores if one.reading}
    yield from ("## Bias, measured with fairflow", "", *facts_table(told | dict(study.identity)))
    said = stated(study.study.title, study.results.of(model)).claims
    yield from ("", *(f"- {plain_markdown(one.sentence)}" for one in said))
    if scores:
        yield from ("", "### Scores", "", _row(*_HEAD), _row(*["---"] * len(_HEAD)))
        yield from map(_score, scores)
    for title, texts in {
        "Reading": [f"{metric}: {text}." for metric, text in readings.items()],
        "Not measured": [f"{name}: {why}." for name, why in study.left_out[model].items()],
        "Limits": LIMITS,
    }.items():
        if texts:
            yield from ("", f"### {title}", "", *(f"- {plain_markdown(text)}" for text in texts))


def _score(one: ExportedScore) -> str:
    row, value = one.row, short_number(one.score.value)
    tests = [row["p_value"], row["p_bh"]]
    p, adjusted = ("" if pd.isna(each) else f"{each:.2g}" for each in tests)
    p = f"{p} (adjusted {adjusted})" if adjusted else p
    remarks = (one.facts.get(name, "") for name in ("reason", "statistics_note"))
    clusters = one.facts.get("n_clusters", one.number)
    over = f"{one.number}" if clusters == one.number else f"{one.number} in {clusters} clusters"
    numbers = value, interval_text(row, one.shift), p, f"{one.fair:g}", over
    return _row(one.metric, one.query, *numbers, "; ".join(filter(None, remarks)))


def _row(*cells: str) -> str:
    return f"| {' | '.join(map(plain_markdown, cells))} |"
