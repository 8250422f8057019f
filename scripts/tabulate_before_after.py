"""Tabulate how the scores of a study differ before and after, what remains and what was lost."""

from collections.abc import Iterable, Mapping, Sequence

from fairflow.files.jobs import run
from fairflow.files.tables import read_scores, read_table, write_tables
from fairflow.studies.before_after import before_after, what_remains
from fairflow.studies.residual_bias import read_findings


def tabulate_before_after(
    path_to_scores: str,
    paths_to_differences: Sequence[str],
    paths_to_findings: Iterable[str],
    before: str,
    after: Sequence[str],
    directions: Mapping[str, Mapping[str, bool]],
    scaling: Mapping[str, bool],
    labels: Mapping[str, str],
    level: float,
    seed: int,
    paths_to_tables: Sequence[str],
) -> None:
    scores, pairs = read_table(path_to_scores), read_scores(paths_to_differences)
    found = map(read_findings, paths_to_findings)
    tables = {
        "before_after": before_after(scores, pairs, before, after, directions, scaling),
        "what_remains": what_remains(found, before, labels, level, seed),
    }
    write_tables(tables, paths_to_tables)


if __name__ == "__main__":
    run(snakemake, tabulate_before_after)
