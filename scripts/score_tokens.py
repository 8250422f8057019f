"""Score the tokens of queries' texts with a language model."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from fairflow.files.checksums import sha256
from fairflow.files.jobs import run
from fairflow.language_models.items.item import Item
from fairflow.language_models.items.item_set import read_items, token_requests, with_attention
from fairflow.language_models.slices.slices import TOKEN_SCHEMA, keep_answers, token_rows


def score_query_tokens(
    paths_to_item_sets: list[str],
    path_to_folder: str,
    path_to_manifest: str,
    model: str,
    needs: dict[str, list[str]],
    loading: dict[str, Any],
    device: str,
    threads: int,
    token_budget: int | None,
    code: str,
    path_to_tokens: str,
) -> None:
    from fairflow.language_models.inference.language_model import load_language_model
    from fairflow.language_models.inference.score_tokens import score_tokens

    sets = dict(zip(needs, map(read_items, paths_to_item_sets), strict=True))
    network = load_language_model(path_to_folder, device, threads, **loading)
    decided = [sha256(path_to_manifest), loading, network.device.type, token_budget, code]

    def answer(query: str, block: list[Item]) -> Iterable[dict[str, Any]]:
        requests = token_requests(replace(sets[query], items=tuple(block)), needs[query])
        attention = with_attention(needs[query])
        return token_rows(score_tokens(network, requests, token_budget, attention))

    asked = {query: items.items for query, items in sets.items()}

    def identity(query: str) -> object:
        return [needs[query], sets[query].kind, *decided]

    size = network.items_together
    keep_answers(path_to_tokens, model, asked, answer, TOKEN_SCHEMA, identity, size)


if __name__ == "__main__":
    run(snakemake, score_query_tokens)
