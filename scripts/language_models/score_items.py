"""Score queries of items on a language model with a metric."""

from fairflow.files.jobs import running
from fairflow.language_models.cells.item_score_files import keep_item_scores

with running(snakemake) as job:
    item_sets = dict(zip(job.params.how["queries"], job.input.item_sets, strict=True))
    cells = job.wildcards.model, job.wildcards.metric, job.params.how, job.params.code
    keep_item_scores(*job.output, item_sets, job.input.answers, *cells)
