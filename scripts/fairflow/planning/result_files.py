"""What a run uses, the path of each of its files, and the files that no rule can make."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fairflow.capabilities import additions
from fairflow.errors import ConfigurationError
from fairflow.planning.jobs import answers_file
from fairflow.planning.plan import Plan
from fairflow.planning.registry import path_of
from fairflow.planning.study import Study
from fairflow.queries.languages import ENGLISH
from fairflow.scores.variant import Cell, Slice
from fairflow.studies.tables import study_tables

CONCLUSIONS = "conclusions.md"


def used_models(plan: Plan) -> list[str]:
    """Models of any study that are tables of word vectors."""
    return plan.of_studies(lambda study: study.static_models)


def used_lineages(plan: Plan) -> list[str]:
    """These models, each after the models that it is derived from."""
    return _once(each for name in used_models(plan) for each in plan.models[name].lineage)


def every_lineage(plan: Plan) -> list[str]:
    """All models of any study, each after those that it is derived from; tables first."""
    others = plan.of_studies(lambda study: study.models)
    return _once([*used_lineages(plan), *(n for one in others for n in plan.models[one].lineage)])


def used_transforms(plan: Plan) -> list[str]:
    """Transforms by which any of those models come from others."""
    transforms = (plan.models[name].transform for name in every_lineage(plan))
    return _once(transform.name for transform in transforms if transform)


def used_variants(plan: Plan) -> list[str]:
    """Metric variants of any study, and those that its control queries are measured by."""
    controls = [s.control_metric for s in plan.studies.values() if s.controls]
    return _once([*plan.of_studies(lambda study: study.metrics), *controls])


def used_lookups(plan: Plan) -> list[str]:
    """Look-ups of those queries."""
    return _once(plan.of_vectors(name).lookup for name in plan.used_queries)


def used_word_sets(plan: Plan) -> dict[str, list[str]]:
    """Word sets of queries, models and studies, sorted by name: which queries use each."""
    users: dict[str, list[str]] = {}
    for query in plan.used_queries:
        planned = plan.of_vectors(query)
        for reference in dict.fromkeys([*planned.references, *planned.declared_sets]):
            users.setdefault(reference, []).append(query)
    for reference in used_sets_of_models(plan):
        users.setdefault(reference, [])
    return dict(sorted(users.items()))


def used_sets_of_models(plan: Plan) -> dict[str, list[str]]:
    """Word sets by which any of those models come from others: which models use each."""
    users: dict[str, list[str]] = {}
    for name in every_lineage(plan):
        transform = plan.models[name].transform
        for reference in transform.word_sets if transform else ():
            users.setdefault(reference, []).append(name)
    return users


def _once(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def slice_files(plan: Plan, slices: Iterable[Slice]) -> list[str]:
    """What models answer to queries, each file once."""
    return _once(answers_file(plan, one) for one in slices)


def score_files(plan: Plan, cells: Iterable[Cell]) -> list[str]:
    """The scores of cells, each file once."""
    return _once(
        path_of(plan, "scores", model=one.model, metric=one.metric, queries=plan.file_of(one.query))
        for one in plan.scored(cells)
    )


def norm_files(plan: Plan, models: Iterable[str]) -> list[str]:
    """The vector norms of tables of word vectors."""
    return [path_of(plan, "norms", model=model) for model in models]


def tables_of_study(reader: str, study: str = "{study}", *kinds: str) -> dict[str, str]:
    """Table -> its file, for the tables that a reader takes from a study of these kinds."""
    tables = study_tables(reader, *kinds)
    return {table.name: f"results/studies/{study}/{table.file}" for table in tables}


def difference_files(plan: Plan, study: Study) -> list[str]:
    """The differences of each changed model from the model before."""
    return [path_of(plan, "differences", study=study.name, model=model) for model in study.after]


def quality_files(plan: Plan, study: Study) -> list[str]:
    """The files of each compared model's quality benchmarks, in English; empty without any."""
    models = study.static_models if plan.quality_of(study) else []
    named = (model for model in models if plan.models[model].speaks(ENGLISH))
    return [path_of(plan, "quality", model=model) for model in named]


def table_files(plan: Plan) -> list[str]:
    """Every file of every table of every study, and the page of its conclusions."""
    return [
        f"results/studies/{name}/{file}"
        for name, study in plan.studies.items()
        for tables in [study_tables(None, *study.kinds)]
        for file in (*(file for table in tables for file in table.files), CONCLUSIONS)
    ]


def word_files(plan: Plan) -> list[str]:
    """The words of the queries."""
    names = _once(map(plan.file_of, plan.used_queries))
    return [path_of(plan, "words", queries=name) for name in names]


def model_records(plan: Plan) -> list[str]:
    """The record of each model, and of those that it is derived from."""
    own = [path_of(plan, "record", model=model) for model in used_lineages(plan)]
    return [*own, *(path for one in additions("plan") for path in one.records(plan))]


def manifest_files(plan: Plan) -> list[str]:
    """The lists of files of models that are no tables."""
    return [path for one in additions("plan") for path in one.manifests(plan)]


def not_remade(plan: Plan) -> list[str]:
    """What an unpacked archive cannot make again: it has neither models nor lexicons."""
    return [
        *word_files(plan),
        *plan.of_studies(lambda study: slice_files(plan, study.every_slice)),
        *norm_files(plan, used_lineages(plan)),
        # Written with the record of a model, whether a study compares it or not.
        *(path_of(plan, "quality", model=model) for model in used_lineages(plan)),
        *(path for one in additions("plan") for path in one.not_remade(plan)),
        *model_records(plan),
        *manifest_files(plan),
    ]


def results_of_run(plan: Plan) -> list[str]:
    """Every file behind the tables and figures of a plan, which a run has to keep."""
    return [
        *not_remade(plan),
        *score_files(plan, plan.cells),
        *plan.of_studies(lambda study: difference_files(plan, study)),
        *(path for one in additions("plan") for path in one.results(plan)),
    ]


def user_files(plan: Plan) -> list[str]:
    """The user's files that planning reads: code, and those of capabilities."""
    names = (*(v.metric for v in plan.metrics.values()), *used_transforms(plan))
    code = (name for name in names if name.endswith(".py"))
    return sorted({*code, *plan.read_files})


def check_archive(plan: Plan) -> None:
    """Does an unpacked archive hold all that could only be made from a model?

    Raises
    ------
    ConfigurationError : naming each file that is missing.
    """
    problems = [
        f"config/config.yaml: archive: this archive does not hold {path}: ask for what it "
        "holds, or remove the key archive so that models are fetched"
        for path in (not_remade(plan) if plan.archived else ())
        if not Path(path).is_file()
    ]
    if problems:
        raise ConfigurationError(problems)
