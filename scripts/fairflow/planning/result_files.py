"""The results of a plan's cells, which lead to its tables and figures."""

from __future__ import annotations

from pathlib import Path

from fairflow.errors import ConfigurationError
from fairflow.planning.plan import Plan
from fairflow.planning.used_by_studies import (
    used_item_queries,
    used_models,
    used_queries,
    used_transforms,
)
from fairflow.studies.tables import study_tables


def word_files(plan: Plan) -> list[str]:
    """The words of each query."""
    return [f"results/words/{query}.json" for query in used_queries(plan)]


def slice_files(plan: Plan) -> list[str]:
    """The vectors of each query in each model."""
    slices = dict.fromkeys(name for study in plan.studies.values() for name in study.every_slice)
    return [f"results/slices/{name}.npz" for name in slices]


def item_files(plan: Plan) -> list[str]:
    """The items of each query of language models."""
    return [f"results/items/{query}.json" for query in used_item_queries(plan)]


def language_files(plan: Plan, *kinds: str) -> list[str]:
    """Files of the kinds that `Plan.language_files` tells of, of all studies."""
    own = (plan.language_files(study)[kind] for study in plan.studies for kind in kinds)
    return list(dict.fromkeys(path for paths in own for path in paths))


def tables_of_study(reader: str, study: str = "{study}") -> dict[str, str]:
    """Table -> its file, of the tables of a study that a reader takes."""
    return {t.name: f"results/studies/{study}/{t.file}" for t in study_tables(reader)}


def table_files(plan: Plan) -> list[str]:
    """Every file of every table of every study."""
    language = plan.language_studies()
    return [
        f"results/studies/{study}/{file}"
        for study in plan.studies
        for table in study_tables(language_models=study in language)
        for file in table.files
    ]


def score_files(plan: Plan) -> list[str]:
    """The scores of each cell."""
    return [f"results/scores/{cell}.parquet" for cell in plan.cells]


def audit_files(plan: Plan) -> list[str]:
    """The audit of each model."""
    return [f"results/audits/{model}.csv" for model in used_models(plan)]


def model_records(plan: Plan) -> list[str]:
    """The record of each converted model."""
    return [f"results/provenance/models/{model}.json" for model in used_models(plan)]


def language_folders(plan: Plan) -> list[str]:
    """The folders of items, of what language models made of them, and of their values."""
    files = [*item_files(plan), *language_files(plan, "item_slices", "embeddings", "items")]
    return sorted({"/".join(path.split("/")[:2]) for path in files})


def only_from_models(plan: Plan) -> list[str]:
    """What could not be made again without a model."""
    made_of_vectors = (*slice_files(plan), *audit_files(plan), *model_records(plan))
    made_by_networks = language_files(plan, "facts", "manifests", "item_slices", "embeddings")
    return [*made_of_vectors, *made_by_networks]


def not_remade(plan: Plan) -> list[str]:
    """What an unpacked archive cannot make again: it has neither models nor lexicons."""
    return [*word_files(plan), *item_files(plan), *only_from_models(plan)]


def cell_files(plan: Plan) -> list[str]:
    """What the tables and figures of a plan come from."""
    return [*not_remade(plan), *score_files(plan), *language_files(plan, "items")]


def user_files(plan: Plan) -> list[str]:
    """Files of the user's that planning reads: code, items of queries, given completions."""
    names = {v.metric for v in plan.variants.values()} | {*used_transforms(plan)}
    return sorted({name for name in names if name.endswith(".py")} | {*plan.language.files})


def check_archive(plan: Plan) -> None:
    """Does an unpacked archive hold all that could only be made from a model?

    Raises
    ------
    ConfigurationError : naming each file that is missing.
    """
    missing = [path for path in not_remade(plan) if not Path(path).is_file()]
    if plan.archived and missing:
        raise ConfigurationError(
            [
                f"config/config.yaml: archive: this archive does not hold {path}: ask for what it "
                "holds, or remove the key archive so that models are fetched"
                for path in missing
            ]
        )
