"""Score the tokens of a query's texts with a language model."""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from fairflow.files.checksums import sha256
from fairflow.files.jobs import run
from fairflow.language_models.items.item import Item
from fairflow.language_models.items.item_set import read_items, token_requests, with_attention
from fairflow.language_models.slices.slices import TOKEN_SCHEMA, token_rows, write_in_blocks


def score_query_tokens(
    path_to_item_set: str,
    path_to_folder: str,
    path_to_manifest: str,
    needs: list[str],
    device: str,
    threads: int,
    token_budget: int | None,
    code: str,
    path_to_tokens: str,
    loading: dict[str, Any] | None = None,
) -> None:
    from fairflow.language_models.inference.language_model import load_language_model
    from fairflow.language_models.inference.score_tokens import score_tokens

    items = read_items(path_to_item_set)
    model = load_language_model(path_to_folder, device, threads, **(loading or {}))
    attention = with_attention(needs)

    def answer(block: list[Item]) -> Iterable[dict[str, Any]]:
        requests = token_requests(replace(items, items=tuple(block)), needs)
        return token_rows(score_tokens(model, requests, token_budget, attention))

    size = model.items_together
    files = [sha256(path) for path in (path_to_item_set, path_to_manifest)]
    settings = [*needs, json.dumps(loading, sort_keys=True), model.device.type, token_budget]
    identity = [*files, *settings, code]
    write_in_blocks(items.items, answer, TOKEN_SCHEMA, path_to_tokens, identity, size)


if __name__ == "__main__":
    run(snakemake, score_query_tokens)
