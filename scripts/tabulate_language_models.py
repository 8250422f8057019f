"""Tell what the language models of a study are, and which items have no score and why."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairflow.files.logs import log_to
from fairflow.files.tables import read_table, write_table
from fairflow.language_models.slices.slices import read_embeddings, read_tokens
from fairflow.studies.language_tables import (
    carriers_table,
    invalid_items,
    models_table,
    pieces_of_embeddings,
    pieces_of_tokens,
)


def tabulate_language_models(
    paths_to_facts: Sequence[str],
    paths_to_tokens: Sequence[str],
    paths_to_embeddings: Sequence[str],
    paths_to_items: Sequence[str],
    planned: Mapping[str, Mapping[str, Any]],
    path_to_models: str,
    path_to_invalid: str,
    path_to_carriers: str,
) -> None:
    facts = {Path(path).parent.name: json.loads(Path(path).read_text()) for path in paths_to_facts}
    texts: dict[str, list[tuple[str, int]]] = {}
    embeddings = []
    for path in map(Path, paths_to_embeddings):
        embedded = read_embeddings(path)
        embeddings.append((path.parent.name, path.stem, embedded))
        texts.setdefault(path.parent.name, []).extend(pieces_of_embeddings(embedded))
    for path in map(Path, paths_to_tokens):
        texts.setdefault(path.parent.name, []).extend(pieces_of_tokens(read_tokens(path)))
    write_table(models_table(facts, planned, texts), path_to_models)
    write_table(invalid_items(map(read_table, paths_to_items), embeddings), path_to_invalid)
    write_table(carriers_table(embeddings), path_to_carriers)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        tabulate_language_models(
            paths_to_facts=snakemake.input.facts,
            paths_to_tokens=snakemake.input.tokens,
            paths_to_embeddings=snakemake.input.embeddings,
            paths_to_items=snakemake.input.item_scores,
            planned=snakemake.params.planned,
            path_to_models=snakemake.output.models,
            path_to_invalid=snakemake.output.invalid,
            path_to_carriers=snakemake.output.carriers,
        )
