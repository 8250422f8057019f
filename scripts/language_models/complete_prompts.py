"""Let a language model complete the prompts of queries."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from fairflow.files.checksums import sha256
from fairflow.files.jobs import running
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


with running(snakemake) as job:
    from fairflow.language_models.inference.complete_prompts import check_prompts, complete_prompts
    from fairflow.language_models.inference.language_model import load_language_model

    how, loading = job.params.how, job.params.how["loading"]
    kind, decodings, budget = how["kind"], how["decodings"], how["token_budget"]
    network = load_language_model(job.input.folder, how["device"], job.threads, **loading)
    decided = [sha256(job.input.manifest), loading, kind, network.device.type, budget]
    prompts, made = {}, {}
    for path, (query, decoding) in zip(job.input.item_sets, decodings.items(), strict=True):
        items, own = read_items(path), Decoding(**decoding)
        prompts[query] = prompts_for(items, kind, own.completions)
        by_draw = items.kind != Prompt.kind
        made[query] = replace(own, completions=1) if by_draw else own, by_draw
        check_prompts(network, prompts[query], made[query][0])

    def answer(query: str, block: list[Prompt]) -> Iterable[dict[str, Any]]:
        decoding, by_draw = made[query]
        found = complete_prompts(network, block, decoding, budget, messages=by_draw)
        return completion_rows(map(of_item, found) if by_draw else found)

    def identity(query: str) -> object:
        return [decodings[query], *decided, job.params.code]

    about = job.output.completions, job.wildcards.model, prompts
    keep_answers(*about, answer, COMPLETION_SCHEMA, identity, network.items_together)
