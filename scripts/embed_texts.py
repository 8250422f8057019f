"""Embed the words or sentences of a query with a language model."""

from fairflow.files.jobs import log_to
from fairflow.language_models.slices.slices import write_embeddings
from fairflow.queries.lookup import Lookup
from fairflow.queries.query_file import read_query

if __name__ == "__main__":
    how = dict(snakemake.params.how)
    with log_to(str(snakemake.log)):
        from fairflow.language_models.networks.embed_query import embed_query
        from fairflow.language_models.networks.language_model import load_language_model

        device, loading, lookup = (how.pop(name) for name in ("device", "loading", "lookup"))
        model = load_language_model(snakemake.input.folder, device, snakemake.threads, **loading)
        embedded = embed_query(model, read_query(snakemake.input.query), Lookup(**lookup), **how)
        write_embeddings(embedded, snakemake.output.embeddings)
