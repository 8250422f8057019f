"""Tabulate the scores of subcorpora with their uncertainty, their trends, and their words."""

from typing import Any

from fairflow.corpora.cooccurrence import SubcorpusCounts
from fairflow.corpora.sample import Subcorpus
from fairflow.files.jobs import run
from fairflow.files.tables import read_table, write_table
from fairflow.studies.corpora.every_table import corpus_tables, in_one_table, read_draws


def tabulate_corpus(
    paths_to_counts: list[str],
    paths_to_draws: list[str],
    path_to_scores: str,
    settings: dict[str, Any],
    path_to_table: str,
) -> None:
    tables = corpus_tables(
        [SubcorpusCounts.read(path) for path in paths_to_counts],
        [Subcorpus(**told) for told in settings["subcorpora"]],
        read_draws(paths_to_draws, [model for model, _ in settings["draws"]]),
        read_table(path_to_scores),
        settings["models"],
        settings["level"],
        settings["seed"],
    )
    write_table(in_one_table(tables), path_to_table)


if __name__ == "__main__":
    run(snakemake, tabulate_corpus)
