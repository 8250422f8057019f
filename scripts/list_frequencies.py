"""Write how frequent words are in texts of a language."""

from fairflow.files.jobs import running
from fairflow.vectors.word_frequency import write_language_list

with running(snakemake) as job:
    write_language_list(job.wildcards.language, job.output.shares)
