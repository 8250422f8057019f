"""Take the vectors of a query's words or sentences out of a table of embeddings."""

from dataclasses import replace

from fairflow.files.jobs import log_to
from fairflow.language_models.slices.derived_texts import derived_texts
from fairflow.language_models.slices.slices import read_embeddings
from fairflow.queries.lookup import Lookup
from fairflow.queries.query_file import read_query, read_units
from fairflow.vectors.derivation import read_derivation
from fairflow.vectors.query_vectors import write_slice
from fairflow.vectors.word_embedding_model import WordEmbeddingModel

if __name__ == "__main__":
    path, lookup = snakemake.input.query, snakemake.params.how["lookup"]
    with log_to(str(snakemake.log)):
        derivations = [read_derivation(each) for each in snakemake.input.derivations]
        embedded = derived_texts(read_embeddings(snakemake.input.embeddings[0]), derivations)
        found = WordEmbeddingModel(embedded).look_up(read_query(path), Lookup(**lookup))
        found = replace(found, random=embedded.random, units=read_units(path))
        write_slice(found, snakemake.output.slice)
