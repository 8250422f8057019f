"""Score further samples of a subcorpus: documents drawn anew, other seeds, shuffled tokens."""

from pathlib import Path
from typing import Any

from fairflow.corpora.corpus import FILES, Corpus
from fairflow.corpora.sample import Sample
from fairflow.corpora.subcorpora import documents_of
from fairflow.corpora.subcorpus_counts import SubcorpusCounts
from fairflow.files.jobs import run
from fairflow.files.parquet import write_rows
from fairflow.queries.lookup import Lookup
from fairflow.queries.query_file import read_query
from fairflow.scores.drawn_scores import SCHEMA, drawn_rows, reweighted_draws, trained_draws
from fairflow.scores.word_cell import WordVariant


def score_draws(
    files: dict[str, str],
    paths_to_words: list[str],
    paths_to_counts: list[str],
    model: str,
    how: dict[str, Any],
    path_to_draws: str,
) -> None:
    draws, seed = [(kind, number) for kind, number in how["draws"]], how["seed"]
    if paths_to_counts:
        counts = SubcorpusCounts.read(paths_to_counts[0])
        drawn = reweighted_draws(counts, draws, seed, how["minimum_count"])
    else:
        texts = Corpus.open(files)
        sample = Sample(texts, documents_of(texts, how["divisions"], how["subcorpus"]))
        asked = ("embedding", "parameters", "window", "minimum_count")
        drawn = trained_draws(sample, draws, seed, model, **{name: how[name] for name in asked})
    queries = {Path(path).stem: read_query(path) for path in paths_to_words}
    lookups = {query: Lookup(**settings) for query, settings in how["lookups"].items()}
    variants = {name: WordVariant(name, **told) for name, told in how["variants"].items()}
    rows = drawn_rows(drawn, queries, lookups, variants, how["computed"], seed, model)
    write_rows([*rows], SCHEMA, path_to_draws)


if __name__ == "__main__":
    run(snakemake, score_draws, files={name: snakemake.input[name] for name in FILES})
