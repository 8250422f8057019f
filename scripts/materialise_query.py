"""Write the words of queries, those of lexicons included."""

from typing import Any

from fairflow.files.jobs import run
from fairflow.queries.query_file import words_of_sets, write_words


def materialise_queries(jobs: list[dict[str, Any]], paths_to_query: list[str]) -> None:
    for how, path in zip(jobs, paths_to_query, strict=True):
        write_words(words_of_sets(how["definition"]), path)


if __name__ == "__main__":
    run(snakemake, materialise_queries)
