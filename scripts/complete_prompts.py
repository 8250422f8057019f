"""Let a language model complete the prompts of queries."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from fairflow.files.checksums import sha256
from fairflow.files.jobs import run
from fairflow.language_models.items.item_set import item_and_rank, prompts_for, read_items
from fairflow.language_models.items.text_items import Decoding, Prompt
from fairflow.language_models.slices.answers import Completion
from fairflow.language_models.slices.slices import (
    COMPLETION_SCHEMA,
    completion_rows,
    keep_answers,
)


def of_item(completion: Completion) -> Completion:
    item, rank = item_and_rank(completion.prompt_id)
    return replace(completion, prompt_id=item, rank=rank)


def complete_queries(
    paths_to_item_sets: list[str],
    path_to_folder: str,
    path_to_manifest: str,
    model: str,
    kind: str,
    decodings: dict[str, dict[str, Any]],
    loading: dict[str, Any],
    device: str,
    threads: int,
    token_budget: int | None,
    code: str,
    path_to_completions: str,
) -> None:
    from fairflow.language_models.inference.complete_prompts import check_prompts, complete_prompts
    from fairflow.language_models.inference.language_model import load_language_model

    network = load_language_model(path_to_folder, device, threads, **loading)
    decided = [sha256(path_to_manifest), loading, kind, network.device.type, token_budget, code]
    prompts, made = {}, {}
    for path, (query, decoding) in zip(paths_to_item_sets, decodings.items(), strict=True):
        items, own = read_items(path), Decoding(**decoding)
        prompts[query] = prompts_for(items, kind, own.completions)
        by_draw = items.kind != Prompt.kind
        made[query] = replace(own, completions=1) if by_draw else own, by_draw
        check_prompts(network, prompts[query], made[query][0])

    def answer(query: str, block: list[Prompt]) -> Iterable[dict[str, Any]]:
        decoding, by_draw = made[query]
        found = complete_prompts(network, block, decoding, token_budget, messages=by_draw)
        return completion_rows(map(of_item, found) if by_draw else found)

    def identity(query: str) -> object:
        return [decodings[query], *decided]

    size = network.items_together
    keep_answers(path_to_completions, model, prompts, answer, COMPLETION_SCHEMA, identity, size)


if __name__ == "__main__":
    run(snakemake, complete_queries)
