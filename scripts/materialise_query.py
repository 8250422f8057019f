"""Write the words of a query, those of lexicons included."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairflow.files import atomic_path
from fairflow.lexicon import parse_lexicon
from fairflow.logs import log_to


def materialise_query(
    definition: Mapping[str, Mapping[str, Any]], paths_to_lexicons: list[str], path_to_query: str
) -> None:
    lexicons = {Path(path).name: Path(path) for path in paths_to_lexicons}
    words = {
        role: {name: words_of(entry, lexicons) for name, entry in sets.items()}
        for role, sets in definition.items()
    }
    with atomic_path(path_to_query) as path:
        path.write_text(json.dumps(words, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def words_of(entry: Any, lexicons: Mapping[str, Path]) -> list[str]:
    if isinstance(entry, Mapping):
        return parse_lexicon(lexicons[entry["lexicon"]], entry["encoding"], entry["comment"])
    return entry


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        materialise_query(
            definition=snakemake.params.definition,
            paths_to_lexicons=snakemake.input.lexicons,
            path_to_query=str(snakemake.output),
        )
