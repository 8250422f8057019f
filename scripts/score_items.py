"""Score queries of items on a language model with a metric."""

from fairflow.files.jobs import run
from fairflow.scores.item_score_files import keep_item_scores

if __name__ == "__main__":
    asked = snakemake.params.how["queries"]
    run(
        snakemake,
        keep_item_scores,
        path=snakemake.output.scores,
        path_to_items=snakemake.output.item_scores,
        item_sets=dict(zip(asked, snakemake.input.item_sets, strict=True)),
    )
