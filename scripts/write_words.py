"""Write the words of queries, those of lexicons included."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.queries.query_file import words_of_sets, write_words


def write_queries(job: Any) -> None:
    definitions = job.params.how["definitions"]
    words = {query: words_of_sets(told) for query, told in definitions.items()}
    write_words(words, job.output.words)


if __name__ == "__main__":
    run(snakemake, write_queries)
