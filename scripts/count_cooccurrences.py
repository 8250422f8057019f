"""Count the words of a study's queries in a subcorpus, and their co-occurrences."""

from typing import Any

from fairflow.corpora.corpus import FILES
from fairflow.corpora.sample import Sample
from fairflow.files.jobs import run
from fairflow.scores.drawn_scores import count_queries, read_queries


def count_cooccurrences(
    files: dict[str, str],
    paths_to_words: list[str],
    part: dict[str, Any],
    counting: dict[str, Any],
    lookups: dict[str, Any],
    path_to_counts: str,
) -> None:
    queries = read_queries(paths_to_words, lookups)
    counts = count_queries(Sample.open(files, **part), queries=queries, **counting)
    counts.write(path_to_counts)


if __name__ == "__main__":
    run(snakemake, count_cooccurrences, files={name: snakemake.input[name] for name in FILES})
