"""Embed the words or sentences that a transform learns from with a language model."""

from fairflow.files.jobs import log_to
from fairflow.language_models.slices.slices import write_embeddings
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query

if __name__ == "__main__":
    how = dict(snakemake.params.how)
    with log_to(str(snakemake.log)):
        from fairflow.language_models.inference.embed_query import embed_query
        from fairflow.language_models.inference.language_model import load_language_model

        device, loading, texts = (how.pop(name) for name in ("device", "loading", "texts"))
        model = load_language_model(snakemake.input.folder, device, snakemake.threads, **loading)
        # As the words of a query are read, and as they are written.
        embedded = embed_query(model, Query([list(texts)], []), Lookup(), **how)
        write_embeddings(embedded, snakemake.output.embeddings)
