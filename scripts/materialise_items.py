"""Write the items of a query of language models."""

from collections.abc import Mapping
from typing import Any

from fairflow.files.logs import log_to
from fairflow.language_models.items.item_set import write_items
from fairflow.language_models.items.query_entry import items_of


def materialise_items(entry: Mapping[str, Any], path_to_items: str) -> None:
    write_items(items_of(entry), path_to_items)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        materialise_items(entry=snakemake.params.entry, path_to_items=snakemake.output.item_set)
