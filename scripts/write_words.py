"""Write the words of queries, those of lexicons included."""

from fairflow.files.jobs import running
from fairflow.queries.query_file import words_of_sets, write_words

with running(snakemake) as job:
    definitions = job.params.how["definitions"]
    words = {query: words_of_sets(told) for query, told in definitions.items()}
    write_words(words, job.output.words)
