"""Score further samples of a subcorpus: documents drawn anew, other seeds, shuffled tokens."""

from functools import partial
from typing import Any

from fairflow.corpora.cooccurrence import SubcorpusCounts
from fairflow.corpora.corpus import FILES
from fairflow.corpora.embeddings import Training
from fairflow.corpora.sample import Sample
from fairflow.files.jobs import run
from fairflow.files.parquet import write_rows
from fairflow.scores.drawn_scores import SCHEMA, drawn_rows, read_queries
from fairflow.scores.word_cell import WordVariant


def score_draws(
    files: dict[str, str],
    paths_to_words: list[str],
    paths_to_counts: list[str],
    part: dict[str, Any],
    training: dict[str, Any],
    how: dict[str, Any],
    path_to_draws: str,
) -> None:
    own = Training(**training)
    if paths_to_counts:
        vectors_of = partial(own.reweighted, SubcorpusCounts.read(paths_to_counts[0]))
    else:
        vectors_of = partial(own.vectors, Sample.open(files, **part))
    queries = read_queries(paths_to_words, how["lookups"])
    variants = {name: WordVariant(name, **told) for name, told in how["variants"].items()}
    asked = queries, variants, how["computed"], own.seed, own.name
    write_rows([*drawn_rows(how["draws"], vectors_of, *asked)], SCHEMA, path_to_draws)


if __name__ == "__main__":
    run(snakemake, score_draws, files={name: snakemake.input[name] for name in FILES})
