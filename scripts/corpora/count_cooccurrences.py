"""Count the words of a study's queries in a subcorpus, and their co-occurrences."""

from fairflow.corpora.corpus import FILES
from fairflow.corpora.drawn_scores import count_queries, read_queries
from fairflow.corpora.sample import Sample
from fairflow.files.jobs import running

with running(snakemake) as job:
    how = job.params.how
    sample = Sample.open({name: job.input[name] for name in FILES}, **how["part"])
    queries = read_queries(job.input.words, how["lookups"])
    count_queries(sample, queries=queries, **how["counting"]).write(job.output.counts)
