"""Embed the words or sentences of a query with a language model."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairflow.language_models.slices import write_embeddings
from fairflow.logs import log_to
from fairflow.preprocessing import transform_word


def embed_query(
    path_to_query: str,
    path_to_model: str,
    lookup: Mapping[str, Any],
    device: str,
    threads: int,
    token_budget: int | None,
    pooling: str,
    layer: int,
    path_to_embeddings: str,
) -> None:
    from fairflow.language_models.embed_texts import embed_texts
    from fairflow.language_models.language_model import load_language_model

    sets = json.loads(Path(path_to_query).read_text(encoding="utf-8")).values()
    words = [word for role in sets for own in role.values() for word in own]
    forms = [transform_word(w, how, None) for how in lookup["preprocessors"] for w in words]
    model = load_language_model(path_to_model, device, threads)
    write_embeddings(embed_texts(model, forms, pooling, layer, token_budget), path_to_embeddings)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        embed_query(
            path_to_query=snakemake.input.query,
            path_to_model=snakemake.input.folder,
            lookup=snakemake.params.lookup,
            device=snakemake.params.device,
            threads=snakemake.threads,
            token_budget=snakemake.params.token_budget,
            pooling=snakemake.params.pooling,
            layer=snakemake.params.layer,
            path_to_embeddings=str(snakemake.output),
        )
