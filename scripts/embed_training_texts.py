"""Embed the words or sentences that a transform learns from with a language model."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from fairflow.files.cell_arrays import SCHEMA
from fairflow.files.checksums import sha256
from fairflow.files.jobs import run
from fairflow.files.kept import digest, keep_up_to_date
from fairflow.language_models.slices.slices import embedding_table
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query


def embed_training_texts(
    path_to_folder: str,
    path_to_manifest: str,
    model: str,
    threads: int,
    how: dict[str, Any],
    code: str,
    path_to_embeddings: str,
) -> None:
    def compute(names: list[str]) -> Iterator[tuple[str, pa.Table]]:
        from fairflow.language_models.inference.embed_query import embed_query
        from fairflow.language_models.inference.language_model import load_language_model

        network = load_language_model(path_to_folder, how["device"], threads, **how["loading"])
        # As the words of a query are read, and as they are written.
        asked = Query([list(how["texts"])], []), Lookup()
        settings = {"token_budget": how["token_budget"], **how["reading"]}
        for name in names:
            yield name, embedding_table(model, name, embed_query(network, *asked, **settings))

    wanted = {"training": digest(how, sha256(path_to_manifest), code)}
    keep_up_to_date(path_to_embeddings, SCHEMA, wanted, compute)


if __name__ == "__main__":
    run(snakemake, embed_training_texts)
