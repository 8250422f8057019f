"""Embed the words of a study in their sentences with a language model, and associate them."""

from collections.abc import Iterator
from functools import partial

import pyarrow as pa

from fairflow.files.cell_arrays import SCHEMA, cell_table
from fairflow.files.checked_files import read_sealed
from fairflow.files.checksums import sha256
from fairflow.files.jobs import running
from fairflow.files.kept import digest, keep_up_to_date
from fairflow.nulls.contexts import query_in_contexts, read_sets, vectors_in_contexts, words_of

with running(snakemake) as job:
    how = job.params.how
    queries = read_sets(job.input.words, how["queries"])
    contexts = read_sealed(job.input.contexts, "file of contexts")
    read = {key: how[key] for key in ("layer", "token_budget")}
    decided = read, how["loading"], how["device"], how["seed"], job.params.code

    def compute(missing: list[str]) -> Iterator[tuple[str, pa.Table]]:
        from fairflow.language_models.inference.embed_texts import embed_texts
        from fairflow.language_models.inference.language_model import load_language_model

        model = load_language_model(job.input.folder, how["device"], job.threads, **how["loading"])
        asked = {word: contexts[word] for word in words_of(queries[query] for query in missing)}
        vectors = vectors_in_contexts(asked, partial(embed_texts, model, pooling="mean", **read))
        for query in missing:
            made = query_in_contexts(queries[query], vectors, how["seed"])
            yield query, cell_table(how["model"], query, *made)

    files = map(sha256, (job.input.manifest, job.input.contexts))
    made_from = digest(*decided, *files)
    wanted = {query: digest(sets, made_from) for query, sets in queries.items()}
    keep_up_to_date(job.output.associations, SCHEMA, wanted, compute)
