"""Gather the scores of a study's cells into one table."""

from collections.abc import Mapping, Sequence
from typing import Any

from fairflow.files.logs import log_to
from fairflow.files.tables import read_scores, write_table
from fairflow.studies.aggregation import flattened, tabulate
from fairflow.studies.distinct_tests import Sameness
from fairflow.studies.variant_rows import variant_rows


def tabulate_scores(
    paths_to_scores: Sequence[str],
    variants: Mapping[str, Mapping[str, Any]],
    criteria: Mapping[str, Sequence[str]],
    labels: Mapping[str, str],
    families: Sequence[str],
    same: Sameness,
    path_to_parquet: str,
    path_to_csv: str,
) -> None:
    queries = [query for group in criteria.values() for query in group]
    scores = variant_rows(read_scores(paths_to_scores), variants, queries)
    table = tabulate(scores, criteria, labels, families, same)
    write_table(table, path_to_parquet)
    write_table(flattened(table), path_to_csv)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        tabulate_scores(
            paths_to_scores=snakemake.input.scores,
            variants=snakemake.params.variants,
            criteria=snakemake.params.criteria,
            labels=snakemake.params.labels,
            families=snakemake.params.families,
            same=Sameness(**snakemake.params.same),
            path_to_parquet=snakemake.output.parquet,
            path_to_csv=snakemake.output.csv,
        )
