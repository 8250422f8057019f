"""Texts as vectors that the caller pools from an encoder's outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import torch

from fairflow.language_models.networks.language_model import LanguageModel, evaluating
from fairflow.language_models.networks.rows_on_device import in_batches, token_budget_of
from fairflow.language_models.slices.embedded_texts import EmbeddedTexts

Pool = Callable[[Any], torch.Tensor]


def pooled_texts(
    model: LanguageModel, texts: Sequence[str], pool: Pool, pooling: str
) -> EmbeddedTexts:
    """A vector per distinct text; a text that cannot be read has none, and a reason.

    Parameters
    ----------
    pool : takes the outputs of the body, all hidden states among them, for texts that are equally
        long, and returns (texts, dims).
    pooling : what it is called.
    """
    distinct = list(dict.fromkeys(texts))
    encoded = model.pieces.encode(distinct)
    findings = [model.pieces.finding(text) for text in encoded]
    valid = [number for number, finding in enumerate(findings) if finding is None]
    vectors = _pooled_rows(model, [encoded[number].ids for number in valid], pool)
    rows = np.full((len(distinct), vectors.shape[1] if valid else 1), np.nan, dtype=np.float32)
    rows[valid] = vectors if valid else np.empty((0, 1))
    return EmbeddedTexts(
        texts=tuple(distinct),
        rows=rows,
        pooling=pooling,
        layer=-1,
        n_pieces=tuple(len(text.inner) for text in encoded),
        statuses=tuple("ok" if finding is None else finding.status for finding in findings),
        reasons=tuple(None if finding is None else finding.reason for finding in findings),
    )


def _pooled_rows(model: LanguageModel, rows: list[tuple[int, ...]], pool: Pool) -> np.ndarray:
    """(rows, dims). Rows of one length go together, so that no padding enters a pooling."""
    vectors: dict[tuple[int, ...], np.ndarray] = {}
    budget = token_budget_of(model, None)
    with evaluating(model):
        for _, group in groupby(sorted(set(rows), key=lambda row: (len(row), row)), key=len):
            same = list(group)

            def work(members: list[int], same: list[tuple[int, ...]] = same) -> None:
                ids = torch.tensor([same[number] for number in members], device=model.device)
                outputs = model.body(input_ids=ids, output_hidden_states=True)
                pooled = pool(outputs).float().cpu().numpy()
                for number, vector in zip(members, pooled, strict=True):
                    vectors[same[number]] = vector.reshape(-1)

            in_batches(same, budget, work)
    return np.array([vectors[row] for row in rows], dtype=np.float32)
