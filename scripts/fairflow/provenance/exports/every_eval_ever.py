"""Records of Every Eval Ever, schema 0.3.0 (Batzner et al. 2026, https://arxiv.org/abs/2606.14516).

Its `lower_is_better` cannot say "best at 0" or "best at 50": a record holds the absolute distance
of each score from its fair value, and the score itself in `score_details.details`.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping
from typing import Any

from fairflow.provenance.exports.exported_study import ExportedScore, ExportedStudy, strict_json

SCHEMA = "0.3.0"
# The folder of models that are not of the Hub.
CATALOGUE = "fairflow"


def every_eval_ever(study: ExportedStudy) -> dict[str, str]:
    """data/STUDY/DEVELOPER/MODEL/UUID.json -> a record, for each model with a score."""
    records = {}
    for model, facts in study.models.items():
        if scores := study.scores(model):
            text = strict_json(_record(study, model, scores))
            # Random by the rules of a version 4, and the same for the same record.
            digest = uuid.UUID(bytes=hashlib.sha256(text.encode()).digest()[:16], version=4)
            records[f"data/fairflow_{study.name}/{model_id(model, facts)}/{digest}.json"] = text
    return records


def model_id(name: str, facts: Mapping[str, Any]) -> str:
    """ORG/NAME on the Hub, or its name in the catalogue below `fairflow`."""
    return facts.get("hub") or f"{CATALOGUE}/{name}"


def _record(study: ExportedStudy, model: str, scores: list[ExportedScore]) -> dict[str, Any]:
    facts, made = study.models[model], str(int(study.made.timestamp()))
    identity = model_id(model, facts)
    library = {name: text for name, text in study.identity.items() if name != "fairflow"}
    given = facts.get("kind") == "answers"
    about = {
        "deployment_type": "externally_managed" if given else "self_deployed",
        "model_availability": "unknown" if given else "open_weights",
        **{name: str(value) for name, value in facts.items() if name != "label"},
        "fairflow_name": model,
    }
    without = [{"score": name, "reason": why} for name, why in study.left_out(model)]
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"fairflow_{study.name}/{identity}/{made}",
        "evaluation_timestamp": study.made.isoformat(),
        "retrieved_timestamp": made,
        "source_metadata": {
            "source_name": study.title,
            "source_type": "evaluation_run",
            "source_organization_name": study.authors[0]["name"] if study.authors else "unknown",
            "evaluator_relationship": "third_party",
            "additional_details": {
                "study": study.name,
                "scores_without_value": json.dumps(without, ensure_ascii=False),
            },
        },
        "eval_library": {
            "name": "fairflow",
            "version": study.identity["fairflow"],
            "additional_details": library,
        },
        "model_info": {"name": facts["label"], "id": identity, "additional_details": about},
        "evaluation_results": [_result(study, one) for one in scores],
    }


def _result(study: ExportedStudy, one: ExportedScore) -> dict[str, Any]:
    metric, measure, query = (one.row[name] for name in ("metric", "measure", "query"))
    variant = study.study.variants[metric]
    parameters = {
        name: value if isinstance(value, str | int | float | None) else json.dumps(value)
        for name, value in variant.parameters.items()
    }
    return {
        "evaluation_result_id": one.name,
        "evaluation_name": one.query,
        "source_data": {
            "dataset_name": one.query,
            "source_type": "other",
            "additional_details": study.query_facts(query),
        },
        "metric_config": {
            "evaluation_description": _description(one),
            "metric_id": f"fairflow.{metric}.{measure}.distance_from_{one.fair:g}",
            "metric_name": one.distance_name,
            "metric_kind": "absolute_distance",
            "metric_parameters": parameters,
            "lower_is_better": True,
            "score_type": "continuous",
            "min_score": 0,
            "max_score": "Infinity" if one.largest_distance is None else one.largest_distance,
        },
        "score_details": {
            "score": one.distance.value,
            "details": {name: str(value) for name, value in one.facts.items()},
            "uncertainty": _uncertainty(one),
        },
    }


def _description(one: ExportedScore) -> str:
    reading = f" ({one.reading})" if one.reading else ""
    return (
        f"The {one.distance_name}, its fair value. The score itself{reading} is in "
        "score_details.details as value, with its interval."
    )


def _uncertainty(one: ExportedScore) -> dict[str, Any]:
    row, (_, low, high, error) = one.row, one.distance
    found: dict[str, Any] = {"num_samples": one.number}
    if error is not None:
        found["standard_error"] = {"value": error, "method": "bootstrap"}
    if low is not None:
        method = f"{row['ci_method']} interval of the score, as distances from its fair value"
        ends = {"lower": low, "upper": high, "confidence_level": float(row["ci_level"])}
        found["confidence_interval"] = ends | {"method": method}
        found["num_bootstrap_samples"] = int(row["n_resamples"])
    return found
