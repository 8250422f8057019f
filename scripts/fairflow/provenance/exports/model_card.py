"""A section for a model card, in Markdown (Mitchell et al. 2019): how biased the model is.

Its sentences are those of `fairflow.studies.findings`, of the scores of the model alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pandas as pd

from fairflow.provenance.exports.exported_study import ExportedScore, ExportedStudy
from fairflow.studies.audit_memo import LIMITS, LIMITS_OF_WORDS
from fairflow.studies.findings.statements import findings
from fairflow.studies.wording import facts_table, interval_text, plain_markdown, short_number

TITLE = "Bias, measured with fairflow"
_HEAD = ("Metric", "Query", "Score", "Interval", "p", "Fair value", "Over", "Remark")


def model_card(study: ExportedStudy) -> dict[str, str]:
    """MODEL.md -> the section, for each model of the study."""
    return {f"{model}.md": "\n".join(_lines(study, model)) + "\n" for model in study.models}


def _lines(study: ExportedStudy, model: str) -> Iterator[str]:
    facts, scores = study.models[model], study.scores(model)
    told = {"Model": facts["label"], "Source": facts.get("sources"), "Study": study.title}
    told |= {"Licence": facts.get("licence"), "Citation": facts.get("citation")}
    yield from (f"## {TITLE}", "", *facts_table(told | dict(study.identity)), "")
    every = study.results.frames["scores"]
    alone = replace(study.results, frames={"scores": every[every["model"] == model]}, subject="")
    for one in findings(alone):
        yield f"- {plain_markdown(one.text)}"
    if scores:
        yield from ("", "### Scores", "", _row(*_HEAD), _row(*["---"] * len(_HEAD)))
        yield from map(_score, scores)
        readings = dict.fromkeys((one.metric, one.reading) for one in scores if one.reading)
        yield from ("", *(f"- {plain_markdown(f'{name}: {text}.')}" for name, text in readings))
    if left_out := study.left_out(model):
        yield from ("", "### Not measured", "")
        yield from (f"- {plain_markdown(f'{name}: {why}.')}" for name, why in left_out)
    limits = [*LIMITS] if len(alone.words) == 0 else [LIMITS_OF_WORDS, *LIMITS]
    yield from ("", "### Limits", "", *(f"- {text}" for text in limits))


def _score(one: ExportedScore) -> str:
    row = one.row
    p, adjusted = (
        f"{row[name]:.2g}" if pd.notna(row[name]) else "" for name in ("p_value", "p_bh")
    )
    return _row(
        one.metric,
        one.query,
        short_number(one.score.value),
        interval_text(row, one.shift),
        f"{p} (adjusted {adjusted})" if adjusted else p,
        f"{one.fair:g}",
        f"{one.number}",
        "; ".join(str(row[n]) for n in ("reason", "statistics_note") if pd.notna(row[n])),
    )


def _row(*cells: str) -> str:
    return f"| {' | '.join(map(plain_markdown, cells))} |"
