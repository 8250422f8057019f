"""Scores for platforms: Every Eval Ever, lm-evaluation-harness, the Hub of Hugging Face.

Each function gives path -> text of a file for each model with a score. Their `lower_is_better`
cannot say "best at 0" or "best at 50": see `exported_study`.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from typing import Any

import yaml

from fairflow.files.references import full_citation
from fairflow.provenance.exports.exported_study import (
    Estimate,
    ExportedScore,
    ExportedStudy,
    known,
)
from fairflow.studies.findings.items import EVEN, Score

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
            "max_score": EVEN if one.shift else "Infinity",
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


def lm_eval(study: ExportedStudy) -> dict[str, str]:
    """MODEL/results.json, as lm-evaluation-harness 0.4 writes it.

    Each metric on a query is a task. Intervals have no place but the metadata of its config.
    """
    return {
        f"{model}/results.json": _json(_results(study, model, {one.name: one for one in scores}))
        for model, scores in study.scores.items()
    }


def _results(study: ExportedStudy, model: str, tasks: dict[str, ExportedScore]) -> dict[str, Any]:
    version, name = study.identity["fairflow"], _model_id(study, model)
    directions = {n: {one.row["measure"]: None, _away(one): False} for n, one in tasks.items()}
    asked = {n: one.facts.get("sampled_from", one.row["n_words"]) for n, one in tasks.items()}
    return {
        "results": {n: _measures(one) for n, one in tasks.items()},
        "configs": {
            n: {"task": n, "metadata": {"version": version} | one.facts} for n, one in tasks.items()
        },
        "versions": dict.fromkeys(tasks, version),
        "n-shot": dict.fromkeys(tasks, 0),
        "higher_is_better": directions,
        "n-samples": {
            n: {"original": asked[n], "effective": one.number} for n, one in tasks.items()
        },
        "config": {"model": "fairflow", "model_args": dict(study.models[model])},
        "git_hash": study.identity.get("commit", ""),
        "date": study.made.timestamp(),
        "model_source": "fairflow",
        "model_name": name,
        "model_name_sanitized": name.replace("/", "__"),
        "fairflow": {**study.identity, "scores_left_out": study.left_out[model]},
    }


def _measures(one: ExportedScore) -> dict[str, Any]:
    def estimated(measure: str, found: Estimate) -> dict[str, Any]:
        error = known({"": found.error}).get("", "N/A")
        return {f"{measure},none": found.value, f"{measure}_stderr,none": error}

    others = {f"{measure},none": value for measure, value in one.others.items()}
    about = {"alias": f"{one.metric}: {one.query}", "sample_len": one.number} | others
    return about | estimated(one.row["measure"], one.score) | estimated(_away(one), one.distance)


def eval_results(study: ExportedStudy) -> dict[str, str]:
    """MODEL/.eval_results/STUDY.yaml: https://huggingface.co/docs/hub/eval-results.

    An entry has a data set, its task, a value, and notes, the only place for an interval. The Hub
    shows entries of data sets that are registered there as benchmarks.
    """
    dataset = study.dataset or f"fairflow/{study.study.name}"
    identity = ", ".join(f"{name} {value}" for name, value in study.identity.items())

    def entry(one: ExportedScore) -> dict[str, Any]:
        numbers = Score("", one.row, one.shift, "").numbers
        notes = numbers, f"{one.metric} on {one.query}", f"{one.fair:g} is fair", one.reading
        return {
            "dataset": {"id": dataset, "task_id": one.name},
            "value": one.score.value,
            "date": study.made.date().isoformat(),
            "notes": "; ".join(filter(None, (*notes, identity))),
        }

    return {
        f"{model}/.eval_results/{_collection(study)}.yaml": yaml.safe_dump(
            [entry(one) for one in scores], allow_unicode=True, sort_keys=False
        )
        for model, scores in study.scores.items()
    }


def _json(contents: Any) -> str:
    return json.dumps(contents, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _collection(study: ExportedStudy) -> str:
    return f"fairflow_{study.study.name}"


def _model_id(study: ExportedStudy, model: str) -> str:
    """ORG/NAME on the Hub, or the name in the catalogue below `fairflow`."""
    return study.study.entries.models[model].entry.get("hub") or f"fairflow/{model}"


def _away(one: ExportedScore) -> str:
    return f"absolute_distance_from_{one.fair:g}"
