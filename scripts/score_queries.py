"""Score queries of words on a model with a metric."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.scores.score_files import keep_word_scores


def score_queries(job: Any) -> None:
    cells = job.wildcards.model, job.wildcards.metric, job.params.how, job.params.code
    keep_word_scores(job.output.scores, job.input.slices, *cells)


if __name__ == "__main__":
    run(snakemake, score_queries)
