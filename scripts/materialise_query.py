"""Write the words of a query, those of lexicons included."""

from collections.abc import Mapping
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.queries.query_file import words_of_sets, write_words


def materialise_query(definition: Mapping[str, Mapping[str, Any]], path_to_query: str) -> None:
    write_words(words_of_sets(definition), path_to_query)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        materialise_query(
            path_to_query=snakemake.output.query,
            **snakemake.params.how,
        )
