"""Tell what the language models of a study are, and which items have no score and why."""

from collections.abc import Iterable
from typing import Any

from fairflow.files.atomic import read_json
from fairflow.files.jobs import run
from fairflow.files.tables import read_table, write_tables
from fairflow.language_models.slices.slices import read_embeddings, read_tokens
from fairflow.studies.item_tables import language_tables

# The slice, as model and query, and its path.
Pairs = Iterable[tuple[tuple[str, str], str]]


def tabulate_language_models(
    paths_to_facts: dict[str, str],
    paths_to_tokens: Pairs,
    paths_to_embeddings: Pairs,
    paths_to_item_scores: Iterable[str],
    origins: dict[str, str],
    planned: dict[str, dict[str, Any]],
    paths_to_tables: list[str],
) -> None:
    tables = language_tables(
        {model: read_json(path) for model, path in paths_to_facts.items()},
        planned,
        [(*slice_, read_embeddings(path)) for slice_, path in paths_to_embeddings],
        ((model, read_tokens(path)) for (model, _), path in paths_to_tokens),
        map(read_table, paths_to_item_scores),
        origins,
    )
    write_tables(tables, paths_to_tables)


if __name__ == "__main__":
    inputs, how = snakemake.input, snakemake.params.how
    run(
        snakemake,
        tabulate_language_models,
        paths_to_facts=dict(zip(how["networks"], inputs.facts, strict=True)),
        paths_to_tokens=zip(how["asked"], inputs.tokens, strict=True),
        paths_to_embeddings=zip(how["embedded"], inputs.embeddings, strict=True),
    )
