"""Embed the words of a study in their sentences with a language model, and associate them."""

from collections.abc import Iterator
from functools import partial

import pyarrow as pa

from fairflow.files.cell_arrays import SCHEMA, cell_table
from fairflow.files.checked_files import read_sealed
from fairflow.files.checksums import sha256
from fairflow.files.jobs import running
from fairflow.files.kept import digest, keep_up_to_date
from fairflow.nulls.contexts import query_in_contexts, sets_of, vectors_in_contexts
from fairflow.queries.query_file import read_words

with running(snakemake) as job:
    folder, how = job.input.folder, job.params.how
    queries = {query: sets for file in job.input.words for query, sets in read_words(file).items()}
    contexts = read_sealed(job.input.contexts, "file of contexts")
    of_query = {
        query: {w: contexts[w] for words in sets_of(queries[query]).values() for w in words}
        for query in how["queries"]
    }
    decided = (*(how[key] for key in ("seed", "loading", "layer", "device", "token_budget")),)
    decided = (*decided, job.params.code, sha256(job.input.manifest))

    def compute(missing: list[str]) -> Iterator[tuple[str, pa.Table]]:
        from fairflow.language_models.inference.embed_texts import embed_texts
        from fairflow.language_models.inference.language_model import load_language_model

        model = load_language_model(folder, how["device"], job.threads, **how["loading"])
        read = {"layer": how["layer"], "token_budget": how["token_budget"]}
        embed = partial(embed_texts, model, pooling="mean", **read)
        asked = {word: texts for query in missing for word, texts in of_query[query].items()}
        vectors = vectors_in_contexts(asked, embed)
        for query in missing:
            made = query_in_contexts(queries[query], vectors, how["seed"])
            yield query, cell_table(how["model"], query, *made)

    wanted = {query: digest(queries[query], of_query[query], decided) for query in how["queries"]}
    keep_up_to_date(job.output.associations, SCHEMA, wanted, compute)
