"""Fail when a published number that is declared reproducible is no longer reproduced."""

from fairflow.errors import FairflowError
from fairflow.files.jobs import running
from fairflow.files.tables import write_table
from fairflow.studies.columns import read_comparison
from fairflow.studies.published.comparison import unexpected
from fairflow.studies.published.ledger import ledger_counts

SHOWN = 10

with running(snakemake) as job:
    ledger = read_comparison(job.input.ledger)
    failed = unexpected(ledger)
    if len(failed):
        lines = [
            f"  {row.table}, {row.model}, {row.metric}, {row.scope} {row.item}: {row.measure} "
            f"published {row.published}, ours {row.computed}"
            for row in failed.head(SHOWN).itertuples()
        ]
        lines += [f"  and {len(failed) - SHOWN} more"] if len(failed) > SHOWN else []
        what = f"{len(failed)} published numbers are declared reproducible and differ:"
        advice = (
            f"See {job.input.ledger}. Where a change is meant, declare the number in "
            "config/published as not reproducible, with its cause."
        )
        raise FairflowError("\n".join([what, *lines, advice]))
    write_table(ledger_counts(ledger), job.output.counts)
