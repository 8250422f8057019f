"""WEAT on an encoder, for subclasses that say what the vector of a word is."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
import torch

from fairflow.fairlangproc.text_association import text_association
from fairflow.language_models.networks.language_model import chosen_device, evaluating, prepared
from fairflow.language_models.networks.rows_on_device import in_batches, token_budget_of
from fairflow.language_models.slices.embedded_texts import EmbeddedTexts

logger = logging.getLogger(__name__)


class WEAT(ABC):
    """Word Embedding Association Test of Caliskan et al. (2017) on contextual vectors.

    A subclass defines `_get_embedding(outputs)`, which takes the encoder's outputs for words that
    are equally long and returns (words, dims).

    Parameters
    ----------
    model : an encoder, or a model with a head, whose encoder is then used.
    device : "auto" leaves the model where it is; "cpu", "cuda", "mps" move it.

    Raises
    ------
    LanguageModelError : a device that is not there, a slow tokenizer.
    """

    def __init__(self, model: Any, tokenizer: Any, device: str = "auto") -> None:
        if device != "auto":
            model = model.to(chosen_device(device))
        self.model = model
        self.tokenizer = tokenizer
        self._prepared = prepared(model, tokenizer)
        self.device = self._prepared.device

    @abstractmethod
    def _get_embedding(self, outputs: Any) -> torch.Tensor:
        """Vectors of words from the encoder's outputs, hidden states of all layers included."""

    def get_embeddings(self, words: Sequence[str]) -> torch.Tensor:
        """One vector per word: (words, dims), float32.

        Raises
        ------
        KeyError : a word that has none; the log says why.
        """
        return torch.from_numpy(self._embedded(words).vectors(list(words)))

    def metric(
        self,
        W1_words: Sequence[str],
        W2_words: Sequence[str],
        A1_words: Sequence[str],
        A2_words: Sequence[str],
        n_perm: int = 10_000,
        pval: bool = True,
        ddof: int = 1,
        tail: str = "strict",
        seed: int = 0,
    ) -> dict[str, float]:
        """Mean cosines, effect size and p-value; W1 and W2 are the targets.

        The p-value counts every split of up to 100 target words; of more, `n_perm` random ones.

        Parameters
        ----------
        ddof : of the effect size's standard deviation.
        tail : "strict" as Caliskan et al. write it, "weak" counts ties and is never 0.
        """
        sets = (W1_words, W2_words, A1_words, A2_words)
        embedded = self._embedded([word for own in sets for word in own])
        method = "auto" if pval else "none"
        found = text_association(embedded, *sets, ddof, method, n_perm, tail, seed)
        if found.reason:
            logger.warning("WEAT: %s", found.reason)
        sizes = {
            f"{role}_size": len(own)
            for role, own in zip(("W1", "W2", "A1", "A2"), found.texts.values(), strict=True)
        }
        cosines = {f"{k[0]}-{k[1]}_mean_sim": v for k, v in found.mean_cosines.items()}
        p_value = {"p_value": found.test.p_value} if pval else {}
        return {**cosines, **sizes, "effect_size": found.effect_size, **p_value}

    def _embedded(self, words: Sequence[str]) -> EmbeddedTexts:
        distinct = list(dict.fromkeys(words))
        encoded = self._prepared.pieces.encode(distinct)
        findings = [self._prepared.pieces.finding(text) for text in encoded]
        for word, finding in zip(distinct, findings, strict=True):
            if finding is not None:
                logger.warning("WEAT: %r has no vector: %s", word, finding)
        valid = [number for number, finding in enumerate(findings) if finding is None]
        found = self._vectors([encoded[number].ids for number in valid])
        dims = found.shape[1] if len(found) else 1
        rows = np.full((len(distinct), dims), np.nan, dtype=np.float32)
        rows[valid] = found
        return EmbeddedTexts(
            texts=tuple(distinct),
            rows=rows,
            pooling=type(self).__name__,
            layer=-1,
            n_pieces=tuple(len(text.inner) for text in encoded),
            statuses=tuple("ok" if finding is None else finding.status for finding in findings),
            reasons=tuple(None if finding is None else finding.reason for finding in findings),
        )

    def _vectors(self, rows: list[tuple[int, ...]]) -> np.ndarray:
        """(rows, dims). Rows of one length go together, so that no padding enters a pooling."""
        vectors: dict[tuple[int, ...], np.ndarray] = {}
        budget = token_budget_of(self._prepared, None)
        with evaluating(self._prepared):
            for _, group in groupby(sorted(set(rows), key=lambda row: (len(row), row)), key=len):
                same = list(group)

                def work(members: list[int], same: list[tuple[int, ...]] = same) -> None:
                    ids = torch.tensor([same[number] for number in members], device=self.device)
                    outputs = self._prepared.body(input_ids=ids, output_hidden_states=True)
                    found = self._get_embedding(outputs).float().cpu().numpy()
                    for number, vector in zip(members, found, strict=True):
                        vectors[same[number]] = vector.reshape(-1)

                in_batches(same, budget, work)
        return np.array([vectors[row] for row in rows], dtype=np.float32)


class BertWEAT(WEAT):
    """WEAT on BERT's last layer at [CLS]."""

    def _get_embedding(self, outputs: Any) -> torch.Tensor:
        return outputs.last_hidden_state[:, 0, :]
