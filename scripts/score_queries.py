"""Score queries of words on a model with a metric."""

from fairflow.files.jobs import running
from fairflow.scores.score_files import keep_word_scores

with running(snakemake) as job:
    cells = job.wildcards.model, job.wildcards.metric, job.params.how, job.params.code
    keep_word_scores(job.output.scores, job.input.slices, *cells)
