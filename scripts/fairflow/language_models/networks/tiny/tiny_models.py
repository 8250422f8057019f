"""Tiny language models, trained from scratch on generated sentences: for demonstrations, tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers

from fairflow.files.atomic import atomic_folder
from fairflow.language_models.networks.tiny.generated_text import generated_sentences
from fairflow.language_models.networks.tiny.tiny_tokenizers import KINDS, tiny_tokenizer

MASKED_SHARE = 0.3


@dataclass(frozen=True)
class TinyModel:
    """What to train.

    Attributes
    ----------
    kind : "masked" (BERT) or "causal" (GPT-2).
    sentences : generated ones to train on. vocabulary : pieces, at most.
    steps, rows : batches and sentences in each. rate : the highest learning rate.
    """

    kind: str
    seed: int = 0
    sentences: int = 30_000
    vocabulary: int = 700
    layers: int = 2
    hidden: int = 64
    heads: int = 4
    positions: int = 64
    steps: int = 5_000
    rows: int = 32
    rate: float = 3e-3

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {self.kind!r}")


def train_tiny_model(what: TinyModel, folder: str | Path) -> float:
    """Train a model and save it with its tokenizer into `folder`; the last training loss.

    Deterministic on one machine: one thread, random numbers of its own. An existing folder is
    replaced once the new one is complete.
    """
    transformers.utils.logging.disable_progress_bar()
    torch_state, threads = torch.get_rng_state(), torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(what.seed)
    try:
        sentences = list(generated_sentences(what.sentences, what.seed))
        tokenizer = tiny_tokenizer(what.kind, sentences, what.vocabulary, what.positions)
        network = _network(what, tokenizer)
        loss = _train(what, network, _batches(what, tokenizer, sentences))
    finally:
        torch.set_rng_state(torch_state)
        torch.set_num_threads(threads)
    with atomic_folder(folder) as made:
        network.save_pretrained(made)
        tokenizer.save_pretrained(made)
    return loss


def _network(what: TinyModel, tokenizer: Any) -> Any:
    if what.kind == "masked":
        config = transformers.BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=what.hidden,
            num_hidden_layers=what.layers,
            num_attention_heads=what.heads,
            intermediate_size=2 * what.hidden,
            max_position_embeddings=what.positions,
            pad_token_id=tokenizer.pad_token_id,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
        return transformers.BertForMaskedLM(config)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer),
        n_embd=what.hidden,
        n_layer=what.layers,
        n_head=what.heads,
        n_inner=2 * what.hidden,
        n_positions=what.positions,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        resid_pdrop=0.0,
        embd_pdrop=0.0,
        attn_pdrop=0.0,
    )
    return transformers.GPT2LMHeadModel(config)


def _batches(
    what: TinyModel, tokenizer: Any, sentences: list[str]
) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
    """Ids, attention mask and labels (-100: not asked) of each batch: (rows, longest) each."""
    encoded = [row[: what.positions] for row in tokenizer(sentences)["input_ids"]]
    if what.kind == "causal":
        end = tokenizer.eos_token_id
        encoded = [[end, *row, end][: what.positions] for row in encoded]
    special = set(tokenizer.all_special_ids)
    random = np.random.default_rng(what.seed)
    for _ in range(what.steps):
        chosen = [encoded[number] for number in random.integers(len(encoded), size=what.rows)]
        longest = max(map(len, chosen))
        ids = np.zeros((what.rows, longest), dtype=np.int64)
        there = np.zeros_like(ids)
        for line, mask, row in zip(ids, there, chosen, strict=True):
            line[: len(row)] = row
            mask[: len(row)] = 1
        labels = np.where(there == 1, ids, -100)
        if what.kind == "masked":
            asked = (random.random(ids.shape) < MASKED_SHARE) & (there == 1)
            asked &= ~np.isin(ids, list(special))
            labels = np.where(asked, ids, -100)
            # One in five of those asked for stays, as metrics also read pieces in full view.
            ids = np.where(asked & (random.random(ids.shape) < 0.8), tokenizer.mask_token_id, ids)
        yield tuple(torch.from_numpy(array) for array in (ids, there, labels))


def _train(what: TinyModel, network: Any, batches: Iterator[tuple[torch.Tensor, ...]]) -> float:
    optimizer = torch.optim.AdamW(network.parameters(), lr=what.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=what.rate, total_steps=what.steps, pct_start=0.1
    )
    network.train()
    loss = torch.tensor(float("nan"))
    for ids, there, labels in batches:
        logits = network(input_ids=ids, attention_mask=there).logits
        if what.kind == "causal":
            logits, labels = logits[:, :-1], labels[:, 1:]
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    network.eval()
    return float(loss.detach())
