"""Fail when a published number that is declared reproducible is no longer reproduced."""

from fairflow.errors import FairflowError
from fairflow.files.jobs import run
from fairflow.files.tables import read_comparison, write_table
from fairflow.studies.published.comparison import unexpected
from fairflow.studies.published.ledger import counts

SHOWN = 10


def verify_published(path_to_ledger: str, path_to_counts: str) -> None:
    ledger = read_comparison(path_to_ledger)
    failed = unexpected(ledger)
    if len(failed):
        lines = [
            f"  {row.table}, {row.model}, {row.metric}, {row.scope} {row.item}: {row.measure} "
            f"published {row.published}, ours {row.computed}"
            for row in failed.head(SHOWN).itertuples()
        ]
        more = [f"  and {len(failed) - SHOWN} more"] if len(failed) > SHOWN else []
        raise FairflowError(
            "\n".join(
                [
                    f"{len(failed)} published numbers are declared reproducible and differ:",
                    *lines,
                    *more,
                    f"See {path_to_ledger}. Where a change is meant, declare the number in "
                    "config/published as not reproducible, with its cause.",
                ]
            )
        )
    write_table(counts(ledger), path_to_counts)


if __name__ == "__main__":
    run(snakemake, verify_published)
