"""The tables of studies as data: the inputs and settings of each rule, from the study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from fairflow.capabilities import additions, extensions
from fairflow.planning import result_files as files
from fairflow.planning.plan import Plan
from fairflow.planning.queries import PlannedQuery, words_of
from fairflow.planning.registry import TABLES, Job, Jobs, Parts, job, path_of
from fairflow.planning.study import Study, as_list
from fairflow.queries.languages import language_name
from fairflow.studies.comparability import incomparable, linked
from fairflow.studies.tables import COMPARING, CONCLUSIONS, study_tables
from fairflow.studies.wording import listed

_TABLES = "fairflow.files.tables"


def _scores(jobs: Jobs, study: Study) -> Parts:
    """What `fairflow.studies.score_table.gathered_scores` takes."""
    plan, metrics = jobs.plan, study.variants
    inputs = {
        "scores": files.score_files(plan, study.every_cell),
        "slices": files.slice_files(plan, study.every_slice),
        **_found(plan, study),
    }
    how = {
        "slices": [[*one] for one in study.slices],
        "variants": shown_by(plan, study.metrics),
        "criteria": {name: list(queries) for name, queries in study.criteria.items()},
        "families": list(study.families),
        "statistics": {name: one.statistic for name, one in metrics.items()},
        "vectors": study.vectors,
        "scaling": _scaling(study),
        "labels": study.labels,
        "of_others": study.of_others,
        "fair": {name: one.fair_values for name, one in metrics.items()},
        "control_variants": shown_by(plan, filter(None, [study.control_metric])),
        "control_labels": study.control_labels,
    }
    return inputs, how, ("fairflow.studies.score_table", _TABLES)


def shown_by(plan: Plan, metrics: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Variant -> how it is read from score files: see `fairflow.studies.score_table`."""
    return {n: {"computed": plan.base_variants[n], **plan.metrics[n].view} for n in metrics}


def _found(plan: Plan, study: Study) -> dict[str, list[str]]:
    """Which vectors of an audited model are another one's: those of planned models are known."""
    return {"found": [path_of(plan, "same_vectors", study=study.name)] if plan.audited else []}


def _scaling(study: Study) -> dict[str, bool]:
    """For each metric: does its value change with the length of vectors?"""
    return {name: one.grows_with_length for name, one in study.variants.items()}


def _comparison_of(jobs: Jobs, study: Study) -> Parts:
    """What `fairflow.studies.model_comparison.compared_models` takes in addition to tables."""
    asked = {name: study.entries.queries[name] for name in study.queries}
    of_vectors = {n: query for n, query in asked.items() if isinstance(query, PlannedQuery)}
    inputs = {
        "published": study.published_files("scores", "others"),
        "ranked": study.published_files("scores"),
        "findings": files.quality_files(jobs.plan, study),
    }
    how = {
        "comparison": {
            "aggregation": study.aggregation,
            "directions": study.directions,
            "minimum_coverage": study.minimum_coverage,
        },
        "vectors": study.vectors,
        "derived": study.derived,
        "incomparable": incomparable(study.variants),
        "query_groups": linked({name: query.words for name, query in of_vectors.items()}),
        "overlaps": _shared_sets(jobs.plan, study),
        "ranks_every": study.ranks_every,
        "benchmarks": {n: one["label"] for n, one in jobs.plan.quality_of(study).items()},
        "level": jobs.plan.statistics.level,
        "seed": jobs.plan.seed,
        **_stand_ins(study),
        "ranked": study.published.get("scores", ""),
    }
    code = ("model_comparison", "published.comparison", "quality")
    return inputs, how, (*(f"fairflow.studies.{name}" for name in code), _TABLES)


def _shared_sets(plan: Plan, study: Study) -> dict[str, list[list[str]]]:
    """The words of each set of the queries of two sets and two, which may share some."""
    queries = {name: study.entries.queries[name] for name in study.queries}
    return {
        name: [sorted(words_of([reference], plan.word_sets)) for reference in query.references]
        for name, query in queries.items()
        if isinstance(query, PlannedQuery) and query.template == (2, 2)
    }


def _stand_ins(study: Study) -> dict[str, Any]:
    """Which models of this run stand for published ones, and what is said of the others.

    "stand_ins": published model -> model of this run. "absent": model, published or of the study ->
    why none stands for it. "left_out": published models whose numbers are left out, too.
    """
    given = {name: as_list(models) for name, models in study.published.get("models", {}).items()}
    named = {model: [model] for model in study.models} | given
    stands = {
        published: next((model for model in models if model in study.models), None)
        for published, models in named.items()
    }
    stand_ins = {published: model for published, model in stands.items() if model}
    absent = {model: f"{model} is {why}" for model, why in study.absent.items()}
    absent |= {
        published: "; ".join(f"{model} is {study.absent[model]}" for model in models)
        for published, models in given.items()
        if {*models} <= {*study.absent}
    }
    left_out: set[str] = set()
    if study.skips_absent:
        left_out = {*study.absent} - {*stand_ins}
        unmatched = (published for published in given if published not in stand_ins)
        left_out |= {published for published in unmatched if left_out & {*given[published]}}
    return {"stand_ins": stand_ins, "absent": absent, "left_out": sorted(left_out)}


def _conclusions(jobs: Jobs, study: Study) -> Parts:
    """The tables that claims are made from, and what a study asked."""
    names = ("scores", "published", "controls", "ranking", "pairwise", "rank_probabilities")
    of_all = {table.name: table.file for table in study_tables(None, *study.kinds)}
    some = [table.name for table in study_tables(CONCLUSIONS, *study.kinds)]
    tables = {name: of_all[name] for name in (*some, *names, "quality")}
    how = {"title": study.title, "asked": asked_of(study), "tables": tables}
    return {}, how, ("fairflow.studies.claims.study_claims", _TABLES)


def asked_of(study: Study) -> dict[str, Any]:
    """The settings of a study, as its statements take them."""
    names = ("labels", "vectors", "signed", "of_others", "readings", "ability", "subject")
    sets = {n: [of["targets"], of["attributes"]] for n, of in study.query_parts.items()}
    asked = {name: getattr(study, name) for name in names}
    further = {name: of for one in additions("plan") for name, of in one.asked(study).items()}
    models, queries = study.entries.models, study.entries.queries
    unspoken = [
        (model, models[model].languages, dict(Counter(queries[name].language for name in names)))
        for model, names in study.unspoken.items()
    ]
    # A file or a module of the user's.
    own = [name for name in study.metrics if "." in study.entries.metrics[name].metric]
    return asked | {"sets": sets, "further": further, "unspoken": unspoken, "own_metrics": own}


def _before_after(jobs: Jobs, study: Study) -> Parts:
    """The differences of models from the model before."""
    inputs = {"differences": files.difference_files(jobs.plan, study)}
    how = {
        "before": study.before,
        "after": study.after,
        "directions": study.directions,
        "scaling": _scaling(study),
        "overlaps": _shared_sets(jobs.plan, study),
        "level": jobs.plan.statistics.level,
    }
    return inputs, how, ("fairflow.studies.before_after", _TABLES)


@job("results/audit/{study}/same_vectors.json")
def same_vectors(jobs: Jobs, study: str) -> Job:
    """The slices by which an audited model is compared with the others."""
    asked, audited = jobs.plan.studies[study], jobs.plan.audited
    assert audited
    slices = {"slices": files.slice_files(jobs.plan, asked.slices)}
    how = {"slices": [[*one] for one in asked.slices], "model": audited.model}
    return Job(slices, how | {"vectors": asked.vectors}, ("fairflow.vectors.same_vectors",))


@job("results/audit/{study}/summary.json")
def summary(jobs: Jobs, study: str) -> Job:
    """What the page, the memo and the summary of an audit take in addition to tables."""
    plan, audited, asked = jobs.plan, jobs.plan.audited, jobs.plan.studies[study]
    assert audited
    model = plan.models[audited.model]
    tables = ("controls", "ranking", "pairwise", "coverage", "quality")
    names = ("scores.parquet", *(f"{name}.csv" for name in tables), "claims.json")
    inputs: dict[str, Any] = _found(plan, asked)
    inputs |= {file.partition(".")[0]: f"results/studies/{asked.name}/{file}" for file in names}
    inputs |= (identity := model.identity(plan, jobs.models))
    languages = dict.fromkeys(plan.queries[name].language for name in asked.queries)
    said = {
        "label": asked.labels[model.name],
        "format": model.entry.get("format", ""),
        "about": audited.about,
        "left_out": audited.left_out,
        "language": audited.language,
        "lists": listed(map(language_name, languages)),
    }
    entries = [plan.metrics[name].metric_class.citation for name in asked.metrics]
    entries += [plan.queries[name].citation for name in (*asked.queries, *asked.controls)]
    entries += [plan.models[name].entry.get("citation", "") for name in asked.models]
    how: dict[str, Any] = {"asked": asked_of(asked), "said": said, "identity": [*identity]}
    how["citations"] = [*dict.fromkeys(filter(None, entries))]
    how["figure"] = f"results/figures/{study}/{asked.figures[0]}.svg"
    return Job(inputs, how, ("fairflow.studies.audit_results",))


# Kind of studies -> what makes its tables, in this order; those of capabilities are between.
_FIRST: dict[str, Callable[..., Parts]] = {
    "scores": _scores,
    COMPARING: _before_after,
}
_LAST: dict[str, Callable[..., Parts]] = {
    "comparison": _comparison_of,
    "conclusions": _conclusions,
}


def made_together(study: Study) -> list[str]:
    """The kinds of a study whose tables one job makes; rules of capabilities make the others."""
    extensions("jobs")
    return [kind for kind in study.kinds if kind in _FIRST | TABLES]


@job()
def tables(jobs: Jobs, study: str) -> Job:
    """The tables of a study that are made together, and its conclusions."""
    planned = jobs.plan.studies[study]
    kinds = ("scores", *made_together(planned), *_LAST)
    inputs: dict[str, Any] = {}
    how: dict[str, Any] = {}
    modules: dict[str, None] = {"fairflow.studies.tabulate": None}
    for kind, make in (_FIRST | TABLES | _LAST).items():
        if kind in kinds:
            read, how[kind], code = make(jobs, planned)
            inputs |= read
            modules |= dict.fromkeys(code)
    return Job(inputs, how, tuple(modules))
