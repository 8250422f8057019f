"""Completions of prompts: greedy, sampled, or the top pieces at a mask."""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence
from itertools import groupby

import numpy as np
import torch

from fairflow.language_models.errors import Invalid, ItemError, not_finite
from fairflow.language_models.items.decoding import Decoding
from fairflow.language_models.items.item import NEUTRAL_MASK
from fairflow.language_models.items.text_items import Prompt
from fairflow.language_models.networks.language_model import LanguageModel, evaluating
from fairflow.language_models.networks.network_rows import (
    in_batches,
    logits_at,
    on_device,
    token_budget_of,
)
from fairflow.language_models.slices.answers import Completion


def top_pieces(
    model: LanguageModel, prompts: Sequence[Prompt], decoding: Decoding, token_budget: int
) -> list[Completion]:
    """The `decoding.completions` most probable pieces of each prompt's one mask.

    Special pieces are no candidates, nor those that continue a word unless the decoding wants
    them. Of equally probable pieces the one with the lower id comes first.

    Each prompt has one mask, see `check_masks`.
    """
    encoded = model.pieces.encode([prompt.text for prompt in prompts])
    findings = [model.pieces.finding(text) for text in encoded]
    valid = [text for text, finding in zip(encoded, findings, strict=True) if finding is None]
    rows = list(dict.fromkeys(text.ids for text in valid))
    candidates = _candidates(model, decoding.whole_words)
    best: dict[tuple[int, ...], tuple[np.ndarray, np.ndarray]] = {}
    with evaluating(model):
        at = logits_at(model)

        def work(members: list[int]) -> None:
            batch = [rows[number] for number in members]
            masks = np.array([row.index(model.pieces.mask_id) for row in batch])
            ids, lengths = on_device(model, batch)
            for part, logits, _ in at(ids, lengths, np.arange(len(batch)), masks):
                logp = torch.log_softmax(logits.float(), dim=-1).cpu().numpy()
                for row, line in zip(batch[part], logp, strict=True):
                    best[row] = _best(line, candidates, decoding.completions)

        in_batches(rows, token_budget, work)
    completions = []
    for prompt, text, finding in zip(prompts, encoded, findings, strict=True):
        if finding is None and np.isnan(best[text.ids][1]).any():
            finding = not_finite("the probability of a piece")
        if finding is not None:
            invalid = Completion(
                prompt.prompt_id, 0, None, status=finding.status, reason=finding.reason
            )
            completions.append(invalid)
        else:
            completions += _at_mask(model, prompt, decoding, *best[text.ids])
    return completions


def check_masks(model: LanguageModel, prompts: Sequence[Prompt]) -> None:
    """Refuse prompts of which the most probable pieces cannot be told.

    Raises
    ------
    ItemError : a prompt without exactly one mask.
    """
    for prompt in prompts:
        names = {NEUTRAL_MASK, model.pieces.tokenizer.mask_token}
        masks = sum(prompt.text.count(name) for name in names)
        if masks != 1:
            raise ItemError(
                f"prompt {prompt.prompt_id!r}: {prompt.text!r} must have one {NEUTRAL_MASK}, "
                f"found {masks}"
            )


def _candidates(model: LanguageModel, whole_words: bool) -> np.ndarray:
    """Ids of the pieces that may be offered."""
    tokenizer = model.pieces.tokenizer
    left_out = set(tokenizer.all_special_ids)
    if whole_words:
        vocabulary = tokenizer.get_vocab().items()
        left_out |= {piece for token, piece in vocabulary if token.startswith("##")}
    size = min(model.network.config.vocab_size, len(tokenizer))
    return np.array([piece for piece in range(size) if piece not in left_out])


def _best(logp: np.ndarray, candidates: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Ids and log-probabilities of the k best candidates, ties by id."""
    values = logp[candidates]
    # A NaN comes last, but of one in the logits all are NaN.
    order = np.argsort(-values, kind="stable")[:k]
    return candidates[order], values[order].astype(np.float64)


def _at_mask(
    model: LanguageModel, prompt: Prompt, decoding: Decoding, ids: np.ndarray, logp: np.ndarray
) -> list[Completion]:
    return [
        Completion(
            prompt.prompt_id,
            rank,
            model.pieces.tokenizer.decode([int(piece)]).strip(),
            n_tokens=1,
            logp=float(value),
            decoding=decoding.text,
        )
        for rank, (piece, value) in enumerate(zip(ids, logp, strict=True))
    ]


def complete_prompts(
    model: LanguageModel,
    prompts: Sequence[Prompt],
    decoding: Decoding,
    token_budget: int | None = None,
) -> list[Completion]:
    """Completions of each prompt, without the prompt; a prompt that cannot be completed says why.

    Prompts of one length go together, so that nothing is padded and a completion does not depend
    on the prompts beside it, but for the rounding of float32.

    Errors as of `check_prompts`.
    """
    check_prompts(model, prompts, decoding)
    budget = token_budget_of(model, token_budget)
    if decoding.method == "fill_mask":
        return top_pieces(model, prompts, decoding, budget)
    encoded = model.pieces.encode([model.asked(prompt.text) for prompt in prompts])
    invalid: dict[str, Invalid] = {}
    tasks: list[tuple[tuple[int, ...], str, int]] = []
    for prompt, pieces in zip(prompts, encoded, strict=True):
        finding = model.pieces.finding(pieces, extra=decoding.max_new_tokens)
        if finding is not None:
            invalid[prompt.prompt_id] = finding
            continue
        ranks = range(decoding.completions)
        tasks += [(pieces.ids, prompt.prompt_id, rank) for rank in ranks]
    written = _write_all(model, tasks, decoding, budget)
    broken = not_finite("the probability of a piece")
    invalid |= {prompt: broken for (prompt, _), text in written.items() if math.isnan(text[1])}
    return _completions(model, prompts, invalid, written, decoding)


def check_prompts(model: LanguageModel, prompts: Sequence[Prompt], decoding: Decoding) -> None:
    """Refuse, before any of them is completed, prompts that a model cannot complete so.

    Raises
    ------
    LanguageModelError : a method that does not fit the model.
    ItemError : no prompt, one id twice, or a prompt without exactly one mask for "fill_mask".
    """
    ids = [prompt.prompt_id for prompt in prompts]
    if not ids or len(set(ids)) < len(ids):
        raise ItemError("prompts: there must be at least one, each with an id of its own")
    of_masks = decoding.method == "fill_mask"
    model.require("masked" if of_masks else "causal", f"decoding {decoding.method!r}")
    if of_masks:
        check_masks(model, prompts)


def _write_all(
    model: LanguageModel,
    tasks: list[tuple[tuple[int, ...], str, int]],
    decoding: Decoding,
    token_budget: int,
) -> dict[tuple[str, int], tuple[list[int], float, bool]]:
    """New ids, their log-probability and whether the text ended, by prompt and rank.

    Where a probability is NaN the text ends, and its log-probability is NaN.
    """
    written = {}
    tasks = sorted(tasks, key=lambda task: len(task[0]))
    for length, group in groupby(tasks, key=lambda task: len(task[0])):
        same = list(group)
        share = length / (length + decoding.max_new_tokens)

        def work(members: list[int], same: list = same) -> None:
            batch = [same[number] for number in members]
            for (_, prompt, rank), text in zip(batch, _write(model, batch, decoding), strict=True):
                written[prompt, rank] = text

        # The budget is for prompts and what follows them.
        in_batches([task[0] for task in same], max(1, int(token_budget * share)), work)
    return written


def _write(
    model: LanguageModel, batch: list[tuple[tuple[int, ...], str, int]], decoding: Decoding
) -> list[tuple[list[int], float, bool]]:
    """One text per task; the prompts are equally long."""
    ends = _end_ids(model)
    randoms = [
        np.random.default_rng(decoding.seed_of(prompt, rank)).random(decoding.max_new_tokens)
        for _, prompt, rank in batch
    ]
    new: list[list[int]] = [[] for _ in batch]
    logp = np.zeros(len(batch))
    ended = [False] * len(batch)
    ids = torch.tensor([task[0] for task in batch], device=model.device)
    past, last = None, _last_logits_alone(model)
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
                    piece = int(step_logp[number].argmax())
                else:
                    piece = decoding.draw(step_logp[number], randoms[number][step])
                chosen[number] = piece
                logp[number] += step_logp[number, piece]
                ended[number] = piece in ends
                if not ended[number]:
                    new[number].append(piece)
            if all(ended):
                break
            ids = torch.from_numpy(chosen[:, None]).to(model.device)
    return list(zip(new, logp.tolist(), ended, strict=True))


def _last_logits_alone(model: LanguageModel) -> dict[str, int]:
    """What keeps a network from computing logits of a whole prompt, if it can be told so."""
    parameters = inspect.signature(model.network.forward).parameters
    return {"logits_to_keep": 1} if "logits_to_keep" in parameters else {}


def _end_ids(model: LanguageModel) -> set[int]:
    """The pieces that end a text."""
    settings = getattr(model.network, "generation_config", None)
    ends = getattr(settings, "eos_token_id", None)
    listed = ends if isinstance(ends, list) else [ends]
    return {end for end in (*listed, model.pieces.tokenizer.eos_token_id) if end is not None}


def _completions(
    model: LanguageModel,
    prompts: Sequence[Prompt],
    invalid: dict[str, Invalid],
    written: dict[tuple[str, int], tuple[list[int], float, bool]],
    decoding: Decoding,
) -> list[Completion]:
    completions = []
    for prompt in prompts:
        if prompt.prompt_id in invalid:
            finding = invalid[prompt.prompt_id]
            completions.append(
                Completion(prompt.prompt_id, 0, None, status=finding.status, reason=finding.reason)
            )
            continue
        for rank in range(decoding.completions):
            ids, logp, ended = written[prompt.prompt_id, rank]
            sampled = decoding.method == "sample"
            completions.append(
                Completion(
                    prompt.prompt_id,
                    rank,
                    model.pieces.tokenizer.decode(ids, skip_special_tokens=True),
                    n_tokens=len(ids),
                    logp=logp,
                    ended=ended,
                    decoding=decoding.text,
                    seed=decoding.seed_of(prompt.prompt_id, rank) if sampled else None,
                )
            )
    return completions
