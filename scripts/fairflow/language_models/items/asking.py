"""Questions: what a query asks of a model that is not run here, and the ids of its answers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

from fairflow.files.checksums import identity_digest
from fairflow.language_models.items.item import Item
from fairflow.language_models.items.item_set import ItemSet

QUESTION_ID = re.compile(r"([0-9a-f]{8})-([0-9a-f]{16})-(\d{1,9})")


class Question(NamedTuple):
    """One draw of one item, as it is put to a model.

    Attributes
    ----------
    id : see `question_id`. rank : of the draw, from 0.
    message : None where only log-likelihoods are wanted.
    choices : name of a choice -> the ways to say it; {} for a free answer.
    texts : name of a choice -> the context and what follows it, whose log-likelihood is wanted.
    tokens : how many an answer has at most, with what is thought.
    """

    id: str
    query: str
    item: str
    rank: int
    message: str | None
    choices: Mapping[str, list[str]]
    texts: Mapping[str, tuple[str, str]]
    tokens: int


def questions(items: ItemSet, query: str, draws: int = 1) -> list[Question]:
    """What a query asks, item by item; an item without a message is asked once."""
    return [
        Question(
            question_id(query, item, rank),
            query,
            item.item_id,
            rank,
            item.message_of(rank),
            {name: [*ways] for name, ways in item.choices.items()},
            likelihood_texts(item),
            item.answer_tokens + item.thought_tokens,
        )
        for item in items.items
        if not item.unasked
        for rank in range(draws if item.message else 1)
    ]


def likelihood_texts(item: Item) -> dict[str, tuple[str, str]]:
    """Choice -> context and text of the likelihoods that may be given; {} for a kind without."""
    if not item.likelihood:
        return {}
    return {
        choice_of(item, one.text_id): (one.context or "", one.text.removeprefix(one.context or ""))
        for one in item.requests(item.likelihood)
    }


def choice_of(item: Item, text_id: str) -> str:
    """The name of a choice in a file of answers, by the id of its text: "yes", "0", "more"."""
    return text_id.removeprefix(item.item_id).removeprefix("/") or "text"


def question_id(query: str, item: Item, rank: int) -> str:
    """The digests of query and item, and the rank: letters, digits and - alone, 64 at most.

    The item's digest is of all that it is and says, so that no answer to another version of it is
    taken for one to this.
    """
    return f"{query_digest(query)}-{item_digest(query, item)}-{rank}"


def query_digest(query: str) -> str:
    """What the ids of a query begin with: 8 hexadecimal digits."""
    return identity_digest("questions", query)[:4].hex()


def item_digest(query: str, item: Item) -> str:
    """The digest of an item in ids: 16 hexadecimal digits."""
    said = json.dumps([item.kind, asdict(item)], sort_keys=True, ensure_ascii=False)
    return identity_digest("question", query, said)[:8].hex()


def plain_line(question: Question, model: str, tokens: int) -> dict[str, Any]:
    """A question in our own form, with everything that is known of it."""
    messages = [{"role": "user", "content": question.message}] if question.message else []
    asked = {"id": question.id, "query": question.query, "item": question.item}
    constraints = {"max_tokens": tokens, "choices": question.choices, "texts": question.texts}
    return asked | {"draw": question.rank, "messages": messages, "constraints": constraints}


def openai_line(question: Question, model: str, tokens: int) -> dict[str, Any]:
    """A question as a line of a batch file of OpenAI's interface, which others take as well."""
    messages = [{"role": "user", "content": question.message}]
    body = {"model": model, "messages": messages, "max_completion_tokens": tokens}
    place = {"method": "POST", "url": "/v1/chat/completions"}
    return {"custom_id": question.id, **place, "body": body}


def anthropic_line(question: Question, model: str, tokens: int) -> dict[str, Any]:
    """A question as one of the requests of a batch of Anthropic's interface."""
    messages = [{"role": "user", "content": question.message}]
    body = {"model": model, "max_tokens": tokens, "messages": messages}
    return {"custom_id": question.id, "params": body}


# How a line of questions is written: name -> question, model and tokens -> the line.
FORMS = {"openai": openai_line, "anthropic": anthropic_line, "plain": plain_line}
