"""Make the word vectors of a subcorpus."""

from typing import Any

from fairflow.corpora.corpus import Corpus
from fairflow.corpora.embeddings import train, write_vectors
from fairflow.corpora.sample import Sample, draw
from fairflow.corpora.subcorpora import documents_of
from fairflow.files.jobs import run


def train_vectors(
    corpus: dict[str, str],
    divisions: dict[str, Any],
    subcorpus: str,
    model: str,
    embedding: str,
    parameters: dict[str, Any],
    window: int,
    minimum_count: int,
    seed: int,
    path_to_vectors: str,
) -> None:
    texts = Corpus.open(corpus)
    sample = Sample(texts, documents_of(texts, divisions, subcorpus))
    sample, seed = draw(sample, "seeds", 0, seed, model)
    vectors = train(sample, embedding, parameters, window, minimum_count, seed)
    write_vectors(*vectors, path_to_vectors)


if __name__ == "__main__":
    run(snakemake, train_vectors, corpus=dict(snakemake.input.items()))
