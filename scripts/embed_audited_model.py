"""Embed the words of all queries of an audit with a language model, which is opened once."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairflow.files.atomic import atomic_folder
from fairflow.files.jobs import log_to
from fairflow.language_models.errors import NOT_FINITE, LanguageModelError
from fairflow.language_models.slices.slices import write_embeddings
from fairflow.queries.lookup import Lookup
from fairflow.queries.query_file import query_of, words_of_sets
from fairflow.vectors.query_vectors import write_slice
from fairflow.vectors.word_embedding_model import WordEmbeddingModel

ADVICE = "make audit MODEL=PATH POOLING=mean, or --config audit=PATH audit_pooling=mean"


def embed_audited_model(
    path_to_model: str,
    queries: Mapping[str, Mapping[str, Any]],
    language: str | None,
    reading: Mapping[str, Any],
    device: str,
    token_budget: int | None,
    threads: int,
    folder_of_slices: str,
    folder_of_embeddings: str,
) -> None:
    from fairflow.language_models.networks.embed_query import embed_query
    from fairflow.language_models.networks.embed_texts import kept_vectors, reading_or_mean
    from fairflow.language_models.networks.language_model import load_language_model
    from fairflow.language_models.networks.model_facts import model_facts

    model = load_language_model(path_to_model, device, threads)
    try:
        said = reading_or_mean(model, reading["pooling"], reading["unit_length"])
    except LanguageModelError as error:
        raise LanguageModelError(f"{error}. An audit is told so: {ADVICE}") from error
    reading = {**reading, "pooling": said.pooling}
    # Queries share most of their words, and those of equal targets their random words.
    with (
        kept_vectors(),
        atomic_folder(Path(folder_of_slices)) as slices,
        atomic_folder(Path(folder_of_embeddings)) as embeddings,
    ):
        facts = model_facts(model, **reading) | {"pooling_stated_by": said.stated_by}
        (embeddings / "facts.json").write_text(json.dumps(facts), encoding="utf-8")
        for name, asked in queries.items():
            sets = words_of_sets(asked["definition"])
            query, lookup = query_of(sets), Lookup(**asked["lookup"])
            drawn = {key: asked[key] for key in ("random_words", "seed")}
            embedded = embed_query(
                model,
                query,
                lookup,
                token_budget=token_budget,
                language=language,
                **drawn,
                **reading,
            )
            if broken := embedded.statuses.count(NOT_FINITE):
                raise LanguageModelError(
                    f"{path_to_model} is broken: the vectors of {broken} of "
                    f"{len(embedded.texts)} words of {name} are NaN or infinite. Fetch its "
                    "weights again"
                )
            found = WordEmbeddingModel(embedded).look_up(query, lookup)
            found = replace(found, random=embedded.random, units=sets.get("units"))
            write_slice(found, slices / f"{name}.npz")
            write_embeddings(embedded, embeddings / f"{name}.parquet")


if __name__ == "__main__":
    params = snakemake.params
    with log_to(str(snakemake.log)):
        embed_audited_model(
            path_to_model=snakemake.input.folder,
            queries=params.queries,
            **params.how,
            threads=snakemake.threads,
            folder_of_slices=snakemake.output.slices,
            folder_of_embeddings=snakemake.output.embeddings,
        )
