"""Completions of prompts: greedy, sampled, or the top tokens at a mask."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch

from fairflow.language_models.errors import ItemError, not_finite
from fairflow.language_models.inference.language_model import LanguageModel, evaluating
from fairflow.language_models.inference.network_rows import Row, in_batches, logits_at, on_device
from fairflow.language_models.items.item import NEUTRAL_MASK
from fairflow.language_models.items.text_items import Decoding, Prompt
from fairflow.language_models.slices.answers import Completion


class Written(NamedTuple):
    """New ids, their log-probability, and whether the text ended by itself.

    The log-probability is NaN where any of a token is; a token at a mask neither ends nor goes on.
    """

    ids: list[int]
    logp: float
    ended: bool | None = None


def complete_prompts(
    model: LanguageModel,
    prompts: Sequence[Prompt],
    decoding: Decoding,
    token_budget: int | None = None,
    messages: bool = False,
) -> list[Completion]:
    """Completions of each prompt, without the prompt; a prompt that cannot be completed says why.

    Prompts of one length go together, so that nothing is padded and a completion does not depend
    on the other prompts of its batch, except for the rounding of float32.

    Parameters
    ----------
    messages : whether the prompts are messages, see `LanguageModel.asked`.

    Errors as of `check_prompts`.
    """
    check_prompts(model, prompts, decoding)
    tokenizer, of_masks = model.tokens.tokenizer, decoding.method == "fill_mask"
    asked = [one.text if of_masks else model.asked(one.text, messages) for one in prompts]
    extra = 0 if of_masks else decoding.max_new_tokens
    rows, findings = {}, {}
    for prompt, tokens in zip(prompts, model.tokens.encode(asked), strict=True):
        findings[prompt.prompt_id] = finding = model.tokens.finding(tokens, extra)
        if finding is None:
            rows[prompt.prompt_id] = tokens.ids
    written = (_at_masks if of_masks else _write_all)(model, rows, decoding, token_budget)
    completions = []
    for name, finding in findings.items():
        if any(math.isnan(text.logp) for text in written.get(name, ())):
            finding = not_finite("the probability of a token")
        if finding is not None:
            why = {"status": finding.status, "reason": finding.reason}
            completions.append(Completion(name, 0, None, **why))
            continue
        for rank, text in enumerate(written[name]):
            said = tokenizer.decode(text.ids, skip_special_tokens=not of_masks)
            one = Completion(
                name,
                rank,
                said.strip() if of_masks else said,
                n_tokens=len(text.ids),
                logp=text.logp,
                ended=text.ended,
                decoding=decoding.text,
                seed=decoding.seed_of(name, rank) if decoding.method == "sample" else None,
            )
            completions.append(one)
    return completions


def check_prompts(model: LanguageModel, prompts: Sequence[Prompt], decoding: Decoding) -> None:
    """Refuse, before any of them is completed, prompts that a model cannot complete so.

    Raises
    ------
    LanguageModelError : a method that does not fit the model.
    ItemError : a prompt without exactly one mask for "fill_mask".
    """
    of_masks = decoding.method == "fill_mask"
    model.require("masked" if of_masks else "causal", f"decoding {decoding.method!r}")
    names = {NEUTRAL_MASK, model.tokens.tokenizer.mask_token}
    for prompt in prompts if of_masks else ():
        masks = sum(prompt.text.count(name) for name in names)
        if masks != 1:
            raise ItemError(
                f"prompt {prompt.prompt_id!r}: {prompt.text!r} must have one {NEUTRAL_MASK}, "
                f"found {masks}"
            )


def _at_masks(
    model: LanguageModel, rows: Mapping[str, Row], decoding: Decoding, token_budget: int | None
) -> dict[str, list[Written]]:
    """The `decoding.completions` most probable tokens of each prompt's one mask.

    Special tokens are no candidates, nor those that continue a word unless the decoding wants
    them. Of equally probable tokens the one with the lower id comes first.
    """
    tokenizer, distinct = model.tokens.tokenizer, [*dict.fromkeys(rows.values())]
    left_out = set(tokenizer.all_special_ids)
    if decoding.whole_words:
        vocabulary = tokenizer.get_vocab().items()
        left_out |= {number for token, number in vocabulary if token.startswith("##")}
    size = min(model.network.config.vocab_size, len(tokenizer))
    candidates = np.array([token for token in range(size) if token not in left_out])
    best: dict[Row, list[Written]] = {}
    with evaluating(model):
        at = logits_at(model)

        def work(members: list[int]) -> None:
            batch = [distinct[number] for number in members]
            masks = np.array([row.index(model.tokens.mask_id) for row in batch])
            ids, lengths = on_device(model, batch)
            for part, logits, _ in at(ids, lengths, np.arange(len(batch)), masks):
                logp = torch.log_softmax(logits.float(), dim=-1).cpu().numpy()
                for row, line in zip(batch[part], logp[:, candidates], strict=True):
                    # A NaN comes last, but of one in the logits all are NaN.
                    order = np.argsort(-line, kind="stable")[: decoding.completions]
                    best[row] = [
                        Written([int(candidates[place])], float(line[place])) for place in order
                    ]

        in_batches(model, distinct, token_budget, work)
    return {prompt: best[row] for prompt, row in rows.items()}


def _write_all(
    model: LanguageModel, rows: Mapping[str, Row], decoding: Decoding, token_budget: int | None
) -> dict[str, list[Written]]:
    """The texts of each prompt by rank, written batch by batch."""
    written: dict[str, list[Written]] = {
        prompt: [Written([], math.nan)] * decoding.completions for prompt in rows
    }
    tasks = [(row, one, rank) for one, row in rows.items() for rank in range(decoding.completions)]

    def work(members: list[int]) -> None:
        batch = [tasks[number] for number in members]
        for (_, prompt, rank), text in zip(batch, _write(model, batch, decoding), strict=True):
            written[prompt][rank] = text

    # The budget is for prompts and what follows them.
    whole = [(*row, *[0] * decoding.max_new_tokens) for row, _, _ in tasks]
    in_batches(model, whole, token_budget, work, padding=0)
    return written


def _write(
    model: LanguageModel, batch: list[tuple[Row, str, int]], decoding: Decoding
) -> list[Written]:
    """One text per task; the prompts are equally long. Where a probability is NaN the text ends."""
    listed = getattr(getattr(model.network, "generation_config", None), "eos_token_id", None)
    ends = {
        *(listed if isinstance(listed, list) else [listed]),
        model.tokens.tokenizer.eos_token_id,
    }
    randoms = [
        np.random.default_rng(decoding.seed_of(prompt, rank)).random(decoding.max_new_tokens)
        for _, prompt, rank in batch
    ]
    new: list[list[int]] = [[] for _ in batch]
    logp = np.zeros(len(batch))
    ended = [False] * len(batch)
    ids, past = torch.tensor([task[0] for task in batch], device=model.device), None
    # Keeps a network from computing the logits of a whole prompt, if it has this option.
    alone = "logits_to_keep" in inspect.signature(model.network.forward).parameters
    last = {"logits_to_keep": 1} if alone else {}
    with evaluating(model):
        for step in range(decoding.max_new_tokens):
            output = model.network(input_ids=ids, past_key_values=past, use_cache=True, **last)
            past = output.past_key_values
            step_logp = torch.log_softmax(output.logits[:, -1].float(), dim=-1)
            step_logp = step_logp.cpu().double().numpy()
            chosen = np.zeros(len(batch), dtype=np.int64)
            for number in range(len(batch)):
                if ended[number]:
                    continue
                if np.isnan(step_logp[number]).any():
                    logp[number], ended[number] = math.nan, True
                    continue
                if decoding.method == "greedy":
                    token = int(step_logp[number].argmax())
                else:
                    token = decoding.draw(step_logp[number], randoms[number][step])
                chosen[number] = token
                logp[number] += step_logp[number, token]
                ended[number] = token in ends
                if not ended[number]:
                    new[number].append(token)
            if all(ended):
                break
            ids = torch.from_numpy(chosen[:, None]).to(model.device)
    return list(map(Written, new, logp.tolist(), ended))
