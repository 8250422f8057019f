"""Convert a model to word2vec format and index it."""

from fairflow.logs import log_to
from fairflow.vectors.convert import convert

if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        convert(
            source=snakemake.input.source,
            vector_format=snakemake.params.format,
            vectors=snakemake.output.vectors,
            index=snakemake.output.index,
            card=snakemake.output.card,
        )
