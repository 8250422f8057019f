"""Read the texts of a corpus."""

from typing import Any

from fairflow.corpora.corpus import read_corpus
from fairflow.files.jobs import run


def read(path_to_source: str, definition: dict[str, Any], paths: dict[str, str]) -> None:
    read_corpus(path_to_source, definition, paths)


if __name__ == "__main__":
    run(snakemake, read, paths=dict(snakemake.output.items()))
