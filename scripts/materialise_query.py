"""Write the words of queries, those of lexicons included."""

from collections.abc import Mapping, Sequence
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.queries.query_file import words_of_sets, write_words


def materialise_queries(how: Sequence[Mapping[str, Any]], paths_to_queries: Sequence[str]) -> None:
    for one, path in zip(how, paths_to_queries, strict=True):
        write_words(words_of_sets(one["definition"]), path)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        materialise_queries(snakemake.params.how, list(snakemake.output))
