"""Embed the texts of queries, or those that a transform learns from, with a language model."""

from collections.abc import Iterator

import pyarrow as pa

from fairflow.files.cell_arrays import SCHEMA
from fairflow.files.checksums import sha256
from fairflow.files.jobs import running
from fairflow.files.kept import digest, keep_up_to_date
from fairflow.language_models.slices.slices import embedding_table
from fairflow.queries.lookup import Lookup
from fairflow.queries.query_file import query_of, read_words

with running(snakemake) as job:
    folder, how, queries = job.input.folder, job.params.how, job.params.how["queries"]
    # The texts of a transform are few, and those of queries are in a file.
    words = how["words"] if "words" in how else read_words(job.input.words)
    lookups = {query: how["lookups"][name] for query, name in queries.items()}
    shared = {"token_budget": how["token_budget"], "language": how["language"]}
    drawn = dict.fromkeys(how["random"], (how["random_words"], how["seed"]))
    decided = (how["loading"], how["reading"], how["device"], how["audited"], shared)
    decided = (*decided, job.params.code, sha256(job.input.manifest))

    def compute(missing: list[str]) -> Iterator[tuple[str, pa.Table]]:
        from fairflow.language_models.inference.embed_query import check_whole, embed_query
        from fairflow.language_models.inference.embed_texts import audited_reading
        from fairflow.language_models.inference.language_model import load_language_model

        model = load_language_model(folder, how["device"], job.threads, **how["loading"])
        reading = how["reading"]
        if how["audited"]:
            reading, _ = audited_reading(model, reading)
        for query in missing:
            random, seed = drawn.get(query, (0, 0))
            asked = query_of(words[query]), Lookup(**lookups[query])
            random_words = {"random_words": random, "seed": seed}
            embedded = embed_query(model, *asked, **shared, **random_words, **reading)
            if how["audited"]:
                check_whole(embedded, folder, query)
            yield query, embedding_table(how["model"], query, embedded)

    wanted = {
        query: digest(words[query], lookups[query], drawn.get(query), decided) for query in queries
    }
    keep_up_to_date(job.output.embeddings, SCHEMA, wanted, compute, together=1)
