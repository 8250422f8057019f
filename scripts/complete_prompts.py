"""Let a language model complete the prompts of a query."""

import json
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
    write_in_blocks,
)


def of_item(completion: Completion) -> Completion:
    item, rank = item_and_rank(completion.prompt_id)
    return replace(completion, prompt_id=item, rank=rank)


def complete_query(
    path_to_item_set: str,
    path_to_folder: str,
    path_to_manifest: str,
    kind: str,
    decoding: dict[str, Any],
    device: str,
    threads: int,
    token_budget: int | None,
    code: str,
    path_to_completions: str,
    loading: dict[str, Any] | None = None,
) -> None:
    from fairflow.language_models.inference.complete_prompts import check_prompts, complete_prompts
    from fairflow.language_models.inference.language_model import load_language_model

    items, made = read_items(path_to_item_set), Decoding(**decoding)
    prompts = prompts_for(items, kind, made.completions)
    by_draw = items.kind != Prompt.kind
    made = replace(made, completions=1) if by_draw else made
    model = load_language_model(path_to_folder, device, threads, **(loading or {}))
    check_prompts(model, prompts, made)

    def answer(block: list[Prompt]) -> Iterable[dict[str, Any]]:
        completions = complete_prompts(model, block, made, token_budget, messages=by_draw)
        return completion_rows(map(of_item, completions) if by_draw else completions)

    size = model.items_together
    files = [sha256(path) for path in (path_to_item_set, path_to_manifest)]
    how = (json.dumps(each, sort_keys=True) for each in (decoding, loading))
    settings = [*how, kind, model.device.type, token_budget]
    identity = [*files, *settings, code]
    write_in_blocks(prompts, answer, COMPLETION_SCHEMA, path_to_completions, identity, size)


if __name__ == "__main__":
    run(snakemake, complete_query)
