"""Take the vectors of the words or sentences of queries out of tables of embeddings."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from fairflow.files.cell_arrays import contents_of
from fairflow.files.checksums import sha256
from fairflow.files.jobs import running
from fairflow.language_models.slices.derived_texts import derived_texts
from fairflow.language_models.slices.slices import read_embeddings
from fairflow.queries.query_file import query_of
from fairflow.vectors.derivation import read_derivation
from fairflow.vectors.query_vectors import QueryVectors
from fairflow.vectors.slice_files import keep_slices
from fairflow.vectors.word_embedding_model import WordEmbeddingModel

with running(snakemake) as job:
    read, how = job.input, job.params.how
    derivations = [read_derivation(path) for path in read.derivations]
    known = {query: one for (_, query), one in read_embeddings([read.embeddings]).items()}
    decided = [*map(sha256, read.derivations), job.params.code]

    def look_up(asked: list[Any]) -> Iterator[tuple[str, QueryVectors]]:
        for query, words, lookup in asked:
            embedded = derived_texts(known[query], derivations)
            found = WordEmbeddingModel(embedded).look_up(query_of(words), lookup)
            yield query, replace(found, random=embedded.random, units=words.get("units"))

    contents = contents_of(read.embeddings)
    identity = {query: (contents[query], decided) for query in how["queries"]}
    about = read.words, how["queries"], how["lookups"], identity
    keep_slices(job.output.slices, how["model"], *about, look_up)
