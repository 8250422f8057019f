"""Join the comparisons of all studies into the ledger of published numbers."""

from pandas import concat

from fairflow.files.atomic import write_text
from fairflow.files.jobs import running
from fairflow.files.tables import write_table
from fairflow.studies.columns import read_comparison
from fairflow.studies.published.comparison import uncompared
from fairflow.studies.published.ledger import ledger_page
from fairflow.studies.published.publication import read_published

with running(snakemake) as job:
    studies, why_unread = job.params.studies, job.params.why_unread
    read = zip(studies, map(read_comparison, job.input.comparisons), strict=True)
    frames = [comparison.assign(study=study) for study, comparison in read]
    frames += [
        uncompared(read_published(path), why["reason"], why["of_models"]).assign(study=why["study"])
        for path, why in zip(job.input.unread, why_unread, strict=True)
    ]
    # Without any number, an empty table with its columns.
    filled = [frame for frame in frames if len(frame)] or frames[:1]
    ledger = concat(filled, ignore_index=True)
    write_table(ledger, job.output.table)
    commands = {why["study"]: why["command"] for why in why_unread}
    write_text(ledger_page(ledger, job.params.contradictions, commands), job.output.page)
