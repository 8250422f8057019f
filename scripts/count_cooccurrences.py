"""Count the words of a study's queries in a subcorpus, and their co-occurrences."""

from typing import Any

from fairflow.corpora.corpus import FILES
from fairflow.corpora.sample import Sample
from fairflow.files.jobs import run
from fairflow.scores.drawn_scores import count_queries, read_queries


def count_cooccurrences(job: Any) -> None:
    how = job.params.how
    sample = Sample.open({name: job.input[name] for name in FILES}, **how["part"])
    queries = read_queries(job.input.words, how["lookups"])
    count_queries(sample, queries=queries, **how["counting"]).write(job.output.counts)


if __name__ == "__main__":
    run(snakemake, count_cooccurrences)
