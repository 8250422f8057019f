"""What a run consists of, as plain values: the studies of a plan and all that they name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from fairflow.files.references import full_citation
from fairflow.planning.models import VECTORS
from fairflow.planning.plan import Plan, Study
from fairflow.studies.tables import REPORT, study_tables

# The studies that come with fairflow: any other is the user's own.
SHIPPED = (
    "benchmarks",
    "bolukbasi_2016",
    "case_study",
    "case_study_2021_10",
    "debiased_encoders",
    "debiasing",
    "garg_2018",
    "gonen_goldberg_2019",
    "language_models_items",
    "published_language_models",
    "rnsb_replication",
    "sentence_encoders",
    "static_and_contextual",
    "weat_replication",
    "wefe_documentation",
    "wefe_mac_page",
    "wefe_user_guide",
    "wefe_weat_notebook",
    "words_and_sentences",
)
# Of its attributes those that a reader of a run asks for.
_OF_A_STUDY = (
    *("checks", "subject", "models", "metrics", "signed", "of_items", "readings", "ability"),
    *("criteria", "aggregation", "minimum_coverage", "statistics", "families", "controls"),
    "labels",
)
MODEL_FACTS = ("dims", "vocabulary", "licence", "citation", "note")


def run_description(plan: Plan) -> dict[str, Any]:
    """Studies, models, metrics, tables, figures, seed and settings of the statistics.

    Lists are in the order of the configuration, but that the user's own studies go first and those
    that only check documentation last; models and metrics are those of some study.
    """
    studies = sorted(plan.studies.values(), key=_turn)
    models = dict.fromkeys(name for study in studies for name in study.models)
    metrics = dict.fromkeys(name for study in studies for name in study.metrics)
    tables = {study.name: study_tables(REPORT, *study.kinds) for study in studies}
    return {
        "seed": plan.seed,
        "statistics": asdict(plan.statistics),
        "studies": [_study(study) for study in studies],
        "models": {name: _model(plan, name) for name in models},
        "audited": [name for name in models if plan.models[name].kind == VECTORS],
        "metrics": {
            name: {"label": variant.label, "normalize": False, **variant.definition}
            for name, variant in ((name, plan.metrics[name]) for name in metrics)
        },
        "tables": [f"{name}/{table.file}" for name, listed in tables.items() for table in listed],
        "figures": [f"{study.name}/{figure}" for study in studies for figure in study.figures],
    }


def _turn(study: Study) -> int:
    """Which studies a reader wants to see first: the smaller, the sooner."""
    return 0 if study.name not in SHIPPED else 2 if study.checks else 1


def _study(study: Study) -> dict[str, Any]:
    told = {key: getattr(study, key) for key in _OF_A_STUDY}
    plain = {key: [*value] if isinstance(value, tuple) else value for key, value in told.items()}
    criteria = {name: [*queries] for name, queries in study.criteria.items()}
    own = study.name not in SHIPPED
    return {"name": study.name, "title": study.title, "own": own, **plain, "criteria": criteria}


def _model(plan: Plan, name: str) -> dict[str, Any]:
    model = plan.models[name]
    if model.kind != VECTORS:
        return _facts(model.label, model.source_and_revision, model.entry)
    transform, checksum = model.transform, model.entry.get("checksum")
    origin = f"{transform.base}, {transform.name}" if transform else checksum
    return _facts(model.label, origin, model.entry)


def _facts(label: str, origin: str | None, entry: Mapping[str, Any]) -> dict[str, Any]:
    facts = {key: entry.get(key) for key in MODEL_FACTS}
    facts["citation"] = full_citation(entry.get("citation"))
    return {"label": label, "origin": origin, **facts}
