"""Results of a study in the forms that others read.

A new form is a function of an `ExportedStudy`, which gives path -> text, and an entry in `FORMS`.
The `lower_is_better` of platforms cannot say "best at 0" or "best at 50": see `exported_study`. The
sentences of a model card are those of `fairflow.studies.claims`.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator
from typing import Any

import pandas as pd

from fairflow.files.references import full_citation
from fairflow.provenance.exports.exported_study import ExportedScore, ExportedStudy, known
from fairflow.studies.audit_results import LIMITS
from fairflow.studies.claims.study_claims import stated
from fairflow.studies.wording import facts_table, interval_text, plain_markdown, short_number

SCHEMA = "0.3.0"


def every_eval_ever(study: ExportedStudy) -> dict[str, str]:
    """data/STUDY/DEVELOPER/MODEL/UUID.json: records of schema 0.3.0.

    Batzner et al. (2026), https://arxiv.org/abs/2606.14516.
    """
    records = {}
    for model, scores in study.scores.items():
        text = _json(_record(study, model, scores))
        # Random by the rules of a version 4, and the same for the same record.
        name = uuid.UUID(bytes=hashlib.sha256(text.encode()).digest()[:16], version=4)
        records[f"data/{_collection(study)}/{_model_id(study, model)}/{name}.json"] = text
    return records


def _record(study: ExportedStudy, model: str, scores: list[ExportedScore]) -> dict[str, Any]:
    made, name = str(int(study.made.timestamp())), _model_id(study, model)
    given = study.study.entries.models[model].kind == "answers"
    details = {fact: str(value) for fact, value in study.models[model].items()}
    details["deployment_type"] = "externally_managed" if given else "self_deployed"
    details["model_availability"] = "unknown" if given else "open_weights"
    left_out = json.dumps(study.left_out[model], ensure_ascii=False)
    version, identity = study.identity["fairflow"], dict(study.identity)
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"{_collection(study)}/{name}/{made}",
        "evaluation_timestamp": study.made.isoformat(),
        "retrieved_timestamp": made,
        "source_metadata": {
            "source_name": study.study.title,
            "source_type": "evaluation_run",
            "source_organization_name": study.authors[0]["name"] if study.authors else "unknown",
            "evaluator_relationship": "third_party",
            "additional_details": {"scores_left_out": left_out},
        },
        "eval_library": {"name": "fairflow", "version": version, "additional_details": identity},
        "model_info": {
            "name": study.models[model]["label"],
            "id": name,
            "additional_details": details,
        },
        "evaluation_results": [_result(study, one) for one in scores],
    }


def _result(study: ExportedStudy, one: ExportedScore) -> dict[str, Any]:
    measure, name = one.row["measure"], f"absolute distance of {one.metric} from {one.fair:g}"
    query = study.study.entries.queries[one.row["query"]]
    source = known({"query": query.name, "citation": full_citation(query.citation)})
    return {
        "evaluation_result_id": one.name,
        "evaluation_name": one.query,
        "source_data": {
            "dataset_name": one.query,
            "source_type": "other",
            "additional_details": source,
        },
        "metric_config": {
            "evaluation_description": f"The {name}, its fair value. The score itself is in "
            f"score_details.details as value ({one.reading or 'with its interval'}).",
            "metric_id": f"fairflow.{one.row['metric']}.{measure}.distance_from_{one.fair:g}",
            "metric_name": name,
            "metric_kind": "absolute_distance",
            "lower_is_better": True,
            "score_type": "continuous",
            "min_score": 0,
            "max_score": one.shift or "Infinity",
        },
        "score_details": {
            "score": one.distance.value,
            "details": {fact: str(value) for fact, value in one.facts.items()},
            "uncertainty": _uncertainty(one),
        },
    }


def _uncertainty(one: ExportedScore) -> dict[str, Any]:
    row, distance = one.facts, one.distance
    # Clusters are resampled as a whole.
    found: dict[str, Any] = {"num_samples": row.get("n_clusters", one.number)}
    if error := known({"value": distance.error}):
        found["standard_error"] = error | {"method": "bootstrap"}
    if ends := known({"lower": distance.low, "upper": distance.high}):
        method = f"{row['ci_method']} interval of the score, as distances from the fair value"
        level = {"confidence_level": row["ci_level"], "method": method}
        found |= {"confidence_interval": ends | level, "num_bootstrap_samples": row["n_resamples"]}
    return found


def _json(contents: Any) -> str:
    return json.dumps(contents, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _collection(study: ExportedStudy) -> str:
    return f"fairflow_{study.study.name}"


def _model_id(study: ExportedStudy, model: str) -> str:
    """ORG/NAME on the Hub, or the name in the catalogue below `fairflow`."""
    return study.study.entries.models[model].entry.get("hub") or f"fairflow/{model}"


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


FORMS = {
    "every-eval-ever": every_eval_ever,
    "model-card": model_card,
}
