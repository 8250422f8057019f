"""Write the items of a query of language models."""

from fairflow.files.jobs import running
from fairflow.language_models.items.item_set import write_items
from fairflow.language_models.items.query_entry import drawn_items

with running(snakemake) as job:
    published = next(iter(job.input.published), None)
    items = drawn_items(job.params.how, job.wildcards.query, published)
    write_items(items, job.output.item_set)
