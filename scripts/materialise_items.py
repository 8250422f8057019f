"""Write the items of a query of language models."""

from fairflow.files.jobs import log_to
from fairflow.language_models.items.item_set import in_wordings, sample_items, write_items
from fairflow.language_models.items.query_entry import items_of

if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        how, query = snakemake.params.how, snakemake.wildcards.query
        items = items_of(how["entry"], next(iter(snakemake.input.published), None))
        sample = sample_items(items, how["number"], how["seed"], query)
        asked = in_wordings(sample, how["entry"].get("wordings", {}))
        write_items(asked, snakemake.output.item_set)
