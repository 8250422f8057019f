"""Write how frequent words are in texts of a language."""

from fairflow.files.jobs import run
from fairflow.vectors.word_frequency import write_language_list

if __name__ == "__main__":
    run(snakemake, lambda job: write_language_list(job.wildcards.language, job.output.shares))
