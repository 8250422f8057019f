"""Score queries of words on a model with a metric."""

from fairflow.files.jobs import run
from fairflow.scores.score_files import keep_word_scores

if __name__ == "__main__":
    names = {"path": snakemake.output.scores, "paths_to_slices": snakemake.input.slices}
    run(snakemake, keep_word_scores, **names)
