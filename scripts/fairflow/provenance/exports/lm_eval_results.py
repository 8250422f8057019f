"""Results as lm-evaluation-harness 0.4 writes them, whose tables and readers then take them.

Each metric on a query is a task with the score, its distance from the fair value, and the other
measures. The harness has no place for intervals: they are in the metadata of the task's config.
"""

from __future__ import annotations

from typing import Any

from fairflow.provenance.exports.every_eval_ever import model_id
from fairflow.provenance.exports.exported_study import (
    Estimate,
    ExportedScore,
    ExportedStudy,
    strict_json,
)


def lm_eval_results(study: ExportedStudy) -> dict[str, str]:
    """MODEL/results.json -> the results of each model with a score."""
    scores = {model: study.scores(model) for model in study.models}
    return {
        f"{model}/results.json": strict_json(_results(study, model, {one.name: one for one in own}))
        for model, own in scores.items()
        if own
    }


def _results(study: ExportedStudy, model: str, tasks: dict[str, ExportedScore]) -> dict[str, Any]:
    facts, version = study.models[model], study.identity["fairflow"]
    return {
        "results": {name: _values(name, one) for name, one in tasks.items()},
        "group_subtasks": {},
        "configs": {name: _config(study, name, one) for name, one in tasks.items()},
        "versions": dict.fromkeys(tasks, version),
        "n-shot": dict.fromkeys(tasks, 0),
        "higher_is_better": {
            name: {one.row["measure"]: None, one.short_distance_name: False}
            for name, one in tasks.items()
        },
        "n-samples": {
            name: {"original": one.asked, "effective": one.number} for name, one in tasks.items()
        },
        "config": {"model": "fairflow", "model_args": dict(facts)},
        "git_hash": study.identity.get("commit", ""),
        "date": study.made.timestamp(),
        "task_hashes": {name: one.row["subquery_digest"] for name, one in tasks.items()},
        "model_source": "fairflow",
        "model_name": model_id(model, facts),
        "model_name_sanitized": model_id(model, facts).replace("/", "__"),
        "fairflow": {
            **study.identity,
            "study": study.name,
            "scores_without_value": dict(study.left_out(model)),
        },
    }


def _values(name: str, one: ExportedScore) -> dict[str, Any]:
    found = {"name": name, "alias": f"{one.metric}: {one.query}", "sample_len": one.number}
    for measure, estimate in (
        (one.row["measure"], one.score),
        (one.short_distance_name, one.distance),
    ):
        found |= _with_error(measure, estimate)
    return found | {f"{measure},none": value for measure, value in one.others.items()}


def _with_error(measure: str, estimate: Estimate) -> dict[str, Any]:
    error = "N/A" if estimate.error is None else estimate.error
    return {f"{measure},none": estimate.value, f"{measure}_stderr,none": error}


def _config(study: ExportedStudy, name: str, one: ExportedScore) -> dict[str, Any]:
    facts = {"version": study.identity["fairflow"], **one.facts}
    query = one.row["query"]
    return {
        "task": name,
        "dataset_path": query,
        "description": study.query_facts(query).get("citation", ""),
        "num_fewshot": 0,
        "metadata": facts,
    }
