"""What decides the tables of a study besides the files they are made from, as plain values."""

from __future__ import annotations

import json
from typing import Any

from fairflow.planning.plan import Plan
from fairflow.planning.queries import PlannedQuery
from fairflow.planning.study import Criteria, Study
from fairflow.scores.item_variant import ItemVariant
from fairflow.scores.word_variant import WordVariant
from fairflow.studies.comparability import linked


def score_settings(study: Study) -> dict[str, Any]:
    """What `fairflow.studies.whole_study.gathered_scores` takes besides scores and slices."""
    return {
        "variants": study.entries.shown(study.metrics),
        "criteria": {name: list(queries) for name, queries in study.criteria.items()},
        "families": list(study.families),
        **study.sameness._asdict(),
        "labels": study.labels,
        "of_items": study.of_items,
        "control_variants": study.entries.shown(filter(None, [study.control_metric])),
        "control_labels": study.control_labels,
    }


def aggregation_settings(study: Study) -> dict[str, Any]:
    """What `fairflow.studies.aggregation.aggregate` takes besides scores."""
    return {**study.comparison, "vectors": study.vectors, "derived": study.derived}


def comparison_settings(study: Study) -> dict[str, Any]:
    """What `fairflow.studies.whole_study.compared_models` takes besides tables."""
    return {
        "comparison": study.comparison,
        "vectors": study.vectors,
        "derived": study.derived,
        "incomparable": study.incomparable,
        "query_groups": study.query_groups,
        "scaling": study.scaling,
        "stand_ins": study.stand_ins,
        "absent": study.only_published,
        "left_out": study.left_out,
        "ranked": study.published.get("scores", ""),
    }


def audit_settings(plan: Plan, report: str) -> dict[str, Any]:
    """What `fairflow.studies.audit_lines.audit_lines` takes besides results.

    Parameters
    ----------
    report : path of the audit's page.
    """
    (study,), audited = plan.studies.values(), plan.audited
    queries = {name: plan.queries[name] for name in (*study.queries, *study.controls)}
    return {
        "metric": (study.signed or study.metrics)[0],
        "about": audited.about,
        "sets": {name: [[*q.targets], [*q.attributes]] for name, q in queries.items()},
        "controls": list(study.controls),
        "left_out": audited.left_out,
        "report": report,
    }


def contributing(plan: Plan, study: Study) -> list[str]:
    """The other studies of this run whose scores a study uses."""
    named = study.multiverse.studies if study.multiverse else ()
    return [name for name in named if name in plan.studies and name != study.name]


def absent_contributors(plan: Plan, study: Study) -> list[str]:
    """The studies that were to contribute, but are not in this run."""
    named = study.multiverse.studies if study.multiverse else ()
    return [name for name in named if name not in plan.studies]


def specification_settings(plan: Plan, study: Study) -> dict[str, Any]:
    """What `fairflow.studies.multiverse.specification_curve` takes besides scores.

    A version of word lists is the study's own, that of each study which contributes and has a
    criterion of the same name, or one that the study lists.
    """
    others = contributing(plan, study)
    lists = {name: _shared(plan.studies[name], study) for name in (study.name, *others)}
    lists |= (study.multiverse.lists or {}) if study.multiverse else {}
    versions = {name: criteria for name, criteria in lists.items() if criteria}
    asked = dict.fromkeys(q for c in versions.values() for queries in c.values() for q in queries)
    planned = {name: plan.queries[name] for name in asked}
    of_vectors = {n: query for n, query in planned.items() if isinstance(query, PlannedQuery)}
    metrics = dict.fromkeys(m for name in (study.name, *others) for m in plan.studies[name].metrics)
    return {
        "lists": {
            name: {criterion: [*queries] for criterion, queries in criteria.items()}
            for name, criteria in versions.items()
        },
        "lookups": {name: query.lookup for name, query in of_vectors.items()},
        "variants": {name: _choices(plan.metrics[name]) for name in metrics},
        "minimum_coverage": study.minimum_coverage,
        "vectors": study.vectors,
        "derived": study.derived,
        "query_groups": linked({n: one.words for n, one in of_vectors.items()}),
        "seed": plan.seed,
    }


def _shared(other: Study, study: Study) -> Criteria:
    """Criteria of a study that have a name of the other's."""
    return {c: other.criteria[c] for c in study.criteria if c in other.criteria}


def _choices(variant: WordVariant | ItemVariant) -> dict[str, Any]:
    """What a variant chooses, see `fairflow.studies.multiverse.specifications`."""
    ignored = ("side", "normalize")
    decides = {key: value for key, value in variant.definition.items() if key not in ignored}
    declared = variant.declared
    return {
        "metric": getattr(declared, "metric_short_name", variant.metric),
        "convention": json.dumps(decides, sort_keys=True, default=str),
        "normalize": variant.normalize,
        "scales": declared.scales_with_length(variant.parameters),
        "hangs_on_dimension": variant.hangs_on_dimension,
        **variant.direction,
    }
