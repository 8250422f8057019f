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
    needs : of `ItemMetric.needs`, each in the words of the kind of item; see `Item.requests_for`.
    """
    request_of: dict[tuple[str, str], TokenRequest] = {}
    # "all" pieces hold the shared ones, which are marked.
    for need in sorted(needs, key=lambda need: need.endswith("/all"), reverse=True):
        for item in items.items:
            for request in item.requests_for(need.removesuffix(ATTENTION)):
                request_of.setdefault((request.text_id, request.variant), request)
    return list(request_of.values())


def prompts_for(items: ItemSet, model_kind: str) -> list[Prompt]:
    """Prompts as a model takes them: a causal one goes on from what stands before the mask."""
    if model_kind == "masked":
        return list(items.items)
    return [
        replace(prompt, text=prompt.text.partition(NEUTRAL_MASK)[0].rstrip())
        for prompt in items.items
    ]
