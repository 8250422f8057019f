"""Write the items of a query of language models."""

from collections.abc import Mapping
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.language_models.items.item_set import sample_items, write_items
from fairflow.language_models.items.query_entry import items_of


def materialise_items(
    entry: Mapping[str, Any],
    published: str | None,
    number: int | None,
    seed: int,
    query: str,
    path_to_items: str,
) -> None:
    items = items_of(entry, published)
    write_items(sample_items(items, number, seed, query), path_to_items)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        materialise_items(
            published=next(iter(snakemake.input.published), None),
            query=snakemake.wildcards.query,
            path_to_items=snakemake.output.item_set,
            **snakemake.params.how,
        )
