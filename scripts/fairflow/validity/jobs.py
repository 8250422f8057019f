"""The tables of validity as data: what they are made from, and those of further specifications."""

from __future__ import annotations

import json
from typing import Any, cast

from fairflow.metrics import METRICS
from fairflow.planning.queries import PlannedQuery
from fairflow.planning.registry import Job, Jobs, Parts, job, tables_of
from fairflow.planning.study import Study
from fairflow.scores.variant import Variant
from fairflow.studies.comparability import linked
from fairflow.validity import SEVERAL, VALIDITY
from fairflow.validity.plan import Multiverse, ValidityOfStudy, property_files

_TABLES = "fairflow.files.tables"


@job()
def specifications(jobs: Jobs, study: str) -> Job:
    """What `fairflow.validity.multiverse.specification_curve` takes in addition to scores.

    A version of word lists is the study's own, that of each study which contributes and has a
    criterion of the same name, or one that the study lists.
    """
    studies, own = jobs.plan.studies, jobs.plan.studies[study]
    multiverse = cast(Multiverse, own.parts[SEVERAL])
    named = multiverse.studies
    others = [n for n in named if n in studies and n != own.name]
    # The criteria that two studies share by name.
    lists = {
        name: {c: of for c, of in studies[name].criteria.items() if c in own.criteria}
        for name in (own.name, *others)
    }
    versions = {name: of for name, of in {**lists, **multiverse.lists}.items() if of}
    asked = dict.fromkeys(q for c in versions.values() for queries in c.values() for q in queries)
    planned = {name: jobs.plan.queries[name] for name in asked}
    of_vectors = {n: query for n, query in planned.items() if isinstance(query, PlannedQuery)}
    metrics = dict.fromkeys(m for name in (own.name, *others) for m in studies[name].metrics)
    settings = {
        "lists": {
            name: {criterion: [*queries] for criterion, queries in criteria.items()}
            for name, criteria in versions.items()
        },
        "lookups": {name: query.lookup for name, query in of_vectors.items()},
        "variants": {name: _choices(jobs.plan.metrics[name]) for name in metrics},
        "minimum_coverage": own.minimum_coverage,
        "vectors": own.vectors,
        "derived": own.derived,
        "query_groups": linked({n: one.words for n, one in of_vectors.items()}),
        "seed": jobs.plan.seed,
    }
    inputs = {
        "scores": f"results/studies/{own.name}/scores.parquet",
        "others": [f"results/studies/{name}/scores.parquet" for name in others],
        "swapped": [f"results/studies/{own.name}/seed_swap.csv"] * (VALIDITY in own.parts),
    }
    absent = [name for name in named if name not in studies]
    code = "fairflow.validity.multiverse", "fairflow.validity.seed_sets", _TABLES
    return Job(inputs, {"settings": settings, "absent": absent}, code)


def _choices(variant: Variant) -> dict[str, Any]:
    """What a variant chooses, see `fairflow.validity.multiverse.specifications`."""
    ignored = ("alternative", "normalize")
    decides = {key: value for key, value in variant.definition.items() if key not in ignored}
    metric_class = variant.metric_class
    return {
        "metric": getattr(metric_class, "metric_short_name", variant.metric),
        "convention": json.dumps(decides, sort_keys=True, default=str),
        "normalize": variant.normalize,
        "scales": metric_class.scales_with_length(variant.parameters),
        "depends_on_dimension": variant.depends_on_dimension,
        **variant.direction,
    }


@tables_of(VALIDITY)
def tables_of_validity(jobs: Jobs, study: Study) -> Parts:
    """What `fairflow.validity.evidence.read_evidence` takes."""
    plan, own = jobs.plan, cast(ValidityOfStudy, study.parts[VALIDITY])
    criterion_of = {q: criterion for criterion, group in study.criteria.items() for q in group}
    asked = dict.fromkeys(one.query for one in own.contrasted)
    queries = {name: plan.of_vectors(name) for name in asked}
    metrics = {name: one for name, one in study.variants.items() if one.of_words}
    languages = dict.fromkeys(plan.models[one.model].frequency_list for one in own.slices)
    inputs = {
        "shares": [f"results/frequencies/{name}.parquet" for name in languages if name],
        "properties": list(dict.fromkeys(property_files(own.concepts))),
    }
    how = {
        "slices": [[*one] for one in own.contrasted],
        "words": [[*one] for one in own.slices],
        "concepts": own.concepts,
        "criteria": {name: criterion_of[name] for name in queries},
        "sets": {n: [[*q.targets.values()], [*q.attributes.values()]] for n, q in queries.items()},
        "metrics": {name: one.definition for name, one in metrics.items()},
        "seed": plan.seed,
        "derived": study.derived,
    }
    # Yardsticks take every metric that gives words a value.
    modules = [*map(METRICS.module, METRICS.names), *(one.module for one in metrics.values())]
    return inputs, how, ("fairflow.validity.checks", _TABLES, *modules)
