"""Completion: a text that a model wrote after a prompt, or that was given."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Completion:
    """One continuation of one prompt.

    Attributes
    ----------
    text : without the prompt. rank : from 0.
    logp : natural logarithm of its probability, its end included; NaN where it is not known.
    ended : whether the model ended it, rather than the limit of length.
    decoding : how it was made, as JSON. seed : of its random numbers.
    status, reason : "ok" and None, or why there is no completion.
    """

    prompt_id: str
    rank: int
    text: str | None
    n_tokens: int | None = None
    logp: float = math.nan
    ended: bool | None = None
    decoding: str | None = None
    seed: int | None = None
    status: str = "ok"
    reason: str | None = None


def given_completions(texts: Mapping[str, Sequence[str]]) -> list[Completion]:
    """Completions that were made elsewhere, by prompt id."""
    return [
        Completion(prompt_id, rank, text)
        for prompt_id, completions in texts.items()
        for rank, text in enumerate(completions)
    ]


def texts_by_prompt(completions: Sequence[Completion]) -> dict[str, list[str]]:
    """The texts of each prompt by rank; prompts that could not be completed are left out."""
    texts_of: dict[str, list[str]] = {}
    for completion in sorted(completions, key=lambda one: one.rank):
        if completion.status == "ok":
            texts_of.setdefault(completion.prompt_id, []).append(completion.text)
    order = dict.fromkeys(completion.prompt_id for completion in completions)
    return {prompt: texts_of[prompt] for prompt in order if prompt in texts_of}
