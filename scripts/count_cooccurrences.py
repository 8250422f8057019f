"""Count the words of a study's queries in a subcorpus, and their co-occurrences."""

from pathlib import Path
from typing import Any

from fairflow.corpora.corpus import FILES, Corpus
from fairflow.corpora.sample import Sample
from fairflow.corpora.subcorpora import documents_of
from fairflow.files.jobs import run
from fairflow.queries.lookup import Lookup
from fairflow.queries.query_file import read_query
from fairflow.scores.drawn_scores import count_queries


def count_cooccurrences(
    files: dict[str, str], paths_to_words: list[str], how: dict[str, Any], path_to_counts: str
) -> None:
    texts = Corpus.open(files)
    sample = Sample(texts, documents_of(texts, how["divisions"], how["subcorpus"]))
    queries = {Path(path).stem: read_query(path) for path in paths_to_words}
    lookups = {query: Lookup(**settings) for query, settings in how["lookups"].items()}
    name = f"{how['corpus']}-{how['subcorpus']}"
    asked = ("shuffled", "seed", "window", "contexts", "minimum_count")
    settings = {key: how[key] for key in asked}
    count_queries(sample, name, queries, lookups, **settings).write(path_to_counts)


if __name__ == "__main__":
    run(snakemake, count_cooccurrences, files={name: snakemake.input[name] for name in FILES})
