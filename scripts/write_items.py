"""Write the items of a query of language models."""

from fairflow.files.jobs import log_to
from fairflow.language_models.items.item_set import write_items
from fairflow.language_models.items.query_entry import drawn_items

if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        how, query = snakemake.params.how, snakemake.wildcards.query
        items = drawn_items(how, query, next(iter(snakemake.input.published), None))
        write_items(items, snakemake.output.item_set)
