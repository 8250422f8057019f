"""Write the items of a query of language models."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.language_models.items.item_set import write_items
from fairflow.language_models.items.query_entry import drawn_items


def write_items_of_query(job: Any) -> None:
    published = next(iter(job.input.published), None)
    items = drawn_items(job.params.how, job.wildcards.query, published)
    write_items(items, job.output.item_set)


if __name__ == "__main__":
    run(snakemake, write_items_of_query)
