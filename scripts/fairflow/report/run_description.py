"""What a run consists of, as plain values: the studies of a plan and all that they name."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fairflow.catalogue import Model
from fairflow.plan import Plan, Study

# The tables of a study that the report reads.
TABLES = (
    "scores.parquet",
    "coverage.csv",
    "ranking.csv",
    "rank_uncertainty.csv",
    "correlations.csv",
    "published.csv",
    "aggregates.csv",
    "rank_probabilities.csv",
    "pairwise.csv",
    "friedman.csv",
    "mean_ranks.csv",
    "scale.csv",
)
MODEL_FACTS = ("dims", "vocabulary", "licence", "citation", "note")


def run_description(plan: Plan) -> dict[str, Any]:
    """Static studies, models, metrics, tables, figures, seed and settings of the statistics.

    Lists are in the order of the configuration; models and metrics are those of some study.
    """
    studies = plan.static_studies
    models = dict.fromkeys(name for study in studies for name in study.models)
    metrics = dict.fromkeys(name for study in studies for name in study.metrics)
    return {
        "seed": plan.seed,
        "statistics": asdict(plan.statistics),
        "studies": [_study(plan, study) for study in studies],
        "models": {name: _model(plan.models[name]) for name in models},
        "metrics": {
            name: {"label": plan.labels[name], **plan.variants[name].definition} for name in metrics
        },
        "tables": list(TABLES),
        "figures": [f"{study.name}/{figure}" for study in studies for figure in study.figures],
    }


def _study(plan: Plan, study: Study) -> dict[str, Any]:
    return {
        "name": study.name,
        "title": study.title,
        "models": list(study.models),
        "metrics": list(study.metrics),
        "criteria": {name: list(queries) for name, queries in study.criteria.items()},
        "aggregation": study.aggregation,
        "minimum_coverage": study.minimum_coverage,
        "statistics": study.statistics,
        "families": list(study.families),
        "labels": plan.study_labels(study.name),
    }


def _model(model: Model) -> dict[str, Any]:
    entry = model.entry
    facts = {key: entry.get(key) for key in MODEL_FACTS}
    derived = entry.get("derive")
    origin = f"{derived['from']}, {derived['transform']}" if derived else entry.get("checksum")
    return {"label": model.label, "origin": origin, **facts}
