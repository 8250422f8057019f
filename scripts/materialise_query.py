"""Write the words of a query, those of lexicons included."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairflow.files.logs import log_to
from fairflow.queries.lexicon import parse_lexicon
from fairflow.queries.query_file import write_words


def materialise_query(definition: Mapping[str, Mapping[str, Any]], path_to_query: str) -> None:
    words = {
        role: {name: words_of(entry) for name, entry in sets.items()}
        for role, sets in definition.items()
    }
    write_words(words, path_to_query)


def words_of(entry: Any) -> list[str]:
    if not isinstance(entry, Mapping):
        return entry
    return parse_lexicon(Path(entry["file"]), entry["encoding"], entry["comment"], entry["packing"])


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        materialise_query(
            definition=snakemake.params.definition,
            path_to_query=snakemake.output.query,
        )
