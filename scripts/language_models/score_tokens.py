"""Score the tokens of queries' texts with a language model."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from fairflow.files.checksums import sha256
from fairflow.files.jobs import running
from fairflow.language_models.items.item import Item
from fairflow.language_models.items.item_set import read_items, token_requests, with_attention
from fairflow.language_models.slices.slices import TOKEN_SCHEMA, keep_answers, token_rows

with running(snakemake) as job:
    from fairflow.language_models.inference.language_model import load_language_model
    from fairflow.language_models.inference.score_tokens import score_tokens

    how, needs, budget = job.params.how, job.params.how["needs"], job.params.how["token_budget"]
    sets = dict(zip(needs, map(read_items, job.input.item_sets), strict=True))
    network = load_language_model(job.input.folder, how["device"], job.threads, **how["loading"])
    decided = [sha256(job.input.manifest), how["loading"], network.device.type, budget]

    def answer(query: str, block: list[Item]) -> Iterable[dict[str, Any]]:
        requests = token_requests(replace(sets[query], items=tuple(block)), needs[query])
        attention = with_attention(needs[query])
        return token_rows(score_tokens(network, requests, budget, attention))

    asked = {query: items.items for query, items in sets.items()}

    def identity(query: str) -> object:
        return [needs[query], sets[query].kind, *decided, job.params.code]

    about = job.output.tokens, job.wildcards.model, asked
    keep_answers(*about, answer, TOKEN_SCHEMA, identity, network.items_together)
