"""What has to be asked of a model, from the items and the needs of metrics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.prompt import Prompt
from fairflow.language_models.items.spans import NEUTRAL_MASK
from fairflow.language_models.items.token_request import TokenRequest

ATTENTION = "+attention"


def with_attention(needs: Iterable[str]) -> bool:
    """Whether the attention paid to pieces is needed, too."""
    return any(need.endswith(ATTENTION) for need in needs)


def token_requests(items: ItemSet, needs: Sequence[str]) -> list[TokenRequest]:
    """The requests of all needs of a query, each text once per variant.

    Parameters
    ----------
    needs : of `ItemMetric.needs`: of slots MULTI/FILL_MASKS, of pairs VARIANT or VARIANT/SCOPE,
        else a variant.
    """
    found: dict[tuple[str, str], TokenRequest] = {}
    # "all" pieces hold the shared ones, which are marked.
    for need in sorted(needs, key=lambda need: need.endswith("/all"), reverse=True):
        for request in _requests(items, need.removesuffix(ATTENTION)):
            found.setdefault((request.text_id, request.variant), request)
    return list(found.values())


def _requests(items: ItemSet, need: str) -> Iterable[TokenRequest]:
    first, _, second = need.partition("/")
    for item in items.items:
        if items.kind == "slot":
            yield from item.requests(first, second)
        elif items.kind == "pair":
            yield from item.requests(first, second or "all")
        elif items.kind == "candidate":
            yield from item.requests(first)
        elif not item.absent:
            yield item.request(first)


def prompts_for(items: ItemSet, model_kind: str) -> list[Prompt]:
    """Prompts as a model takes them: a causal one goes on from what stands before the mask."""
    if model_kind == "masked":
        return list(items.items)
    return [
        replace(prompt, text=prompt.text.partition(NEUTRAL_MASK)[0].rstrip())
        for prompt in items.items
    ]
