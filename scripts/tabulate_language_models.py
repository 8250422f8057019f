"""Tell what the language models of a study are, and which items have no score and why."""

from typing import Any

from fairflow.files.atomic import read_json
from fairflow.files.jobs import run
from fairflow.files.tables import read_table, write_tables
from fairflow.language_models.slices.slices import read_embeddings, read_tokens
from fairflow.studies.item_tables import language_tables


def tabulate_language_models(
    paths_to_facts: list[str],
    paths_to_tokens: list[str],
    paths_to_embeddings: list[str],
    paths_to_item_scores: list[str],
    how: dict[str, Any],
    paths_to_tables: list[str],
) -> None:
    embedded = zip(how["embedded"], paths_to_embeddings, strict=True)
    asked = zip(how["asked"], paths_to_tokens, strict=True)
    tables = language_tables(
        dict(zip(how["networks"], map(read_json, paths_to_facts), strict=True)),
        how["planned"],
        [(*slice_, read_embeddings(path)) for slice_, path in embedded],
        ((model, read_tokens(path)) for (model, _), path in asked),
        map(read_table, paths_to_item_scores),
        how["origins"],
    )
    write_tables(tables, paths_to_tables)


if __name__ == "__main__":
    run(snakemake, tabulate_language_models)
